import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { initializeTexts } from './i18n.ts'

vi.mock('./de/own-bookings.json', () => new Promise(() => {}))

test('the app starts without waiting for texts that a component requests in the meantime', async () => {
  const started = initializeTexts()
  void i18next.loadNamespaces(['own-bookings'])
  await started
  expect(i18next.t('shell:noAnswer')).toContain('Das Portal antwortet gerade nicht')
})
