import { beforeAll, expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import { initializeTexts } from '../../../i18n/i18n.ts'
import { addOfficeTexts } from '../../../i18n/office-texts.ts'
import { NoShowsPlot } from './course-plots.tsx'

beforeAll(async () => {
  await initializeTexts()
  addOfficeTexts()
})

test('the no-show rate has no percentage while nothing is recorded, as in the line of figures', async () => {
  const course = { courseId: 1, number: 'A', name: 'A', name2: 'A' }
  const titleOf = async (present: number, absent: number) =>
    (await render(<NoShowsPlot rows={[{ ...course, present, absent }]} />)).querySelector('h2, h3')?.textContent
  expect(await titleOf(0, 0)).toBe('Fehlquote: –')
  expect(await titleOf(3, 1)).toBe('Fehlquote: 25 %')
  expect(await titleOf(4, 0)).toBe('Fehlquote: 0 %')
})
