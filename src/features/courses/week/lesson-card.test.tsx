import { expect, test } from 'vitest'
import { fromLocalTimeMs } from '#lib/format.ts'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { LessonCard } from './lesson-card.tsx'

test('the next lesson is shown at its own place, and later ones at that of the course', async () => {
  const [at, later] = [1, 8].map(days => fromLocalTimeMs(Date.now() + days * 86_400_000))
  if (!at || !later) throw new Error('no lessons')
  const room = { at, kind: 'room', from: 'Halle 1', to: 'Becken, Lindhafen', note: '', note2: '' } as const
  const place = { venue: 'Halle 1', city: 'Salzstadt' }
  const show = async (dates: (typeof at)[]) => {
    const course = testCourse({ ...place, dates, changes: [room] })
    const page = await render(<LessonCard courses={[course]} label="Nächster Termin" hrefOf={() => '/'} />, 'courses')
    return page.textContent
  }
  expect(await show([at, later])).toMatch(/Becken, Lindhafen/)
  expect(await show([later])).toMatch(/Halle 1, Salzstadt/)
})
