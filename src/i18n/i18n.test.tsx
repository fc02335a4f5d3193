import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { initializeTexts } from './i18n.ts'

vi.mock('./de/own-bookings.json', () => new Promise(() => {}))

test('the app starts without words that a part of it asks for meanwhile', async () => {
  const started = initializeTexts()
  void i18next.loadNamespaces(['own-bookings'])
  await started
  expect(i18next.t('shell:noAnswer')).toContain('Das Portal antwortet gerade nicht')
})
