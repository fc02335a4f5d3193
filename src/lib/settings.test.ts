// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { changeLanguage, initializeTexts } from '../i18n/i18n.ts'
import { api } from './api.ts'

const denied = () => {
  throw new DOMException('denied', 'SecurityError')
}
const full = () => {
  throw new DOMException('full', 'QuotaExceededError')
}
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['blocked', { getItem: denied, setItem: denied, removeItem: denied }],
  ['full', { getItem: () => 'de', setItem: full, removeItem: () => undefined }],
])('the server answers in the language of the page while the storage is %s', async (_, storage) => {
  vi.stubGlobal('localStorage', storage)
  let language: string | null = null
  vi.stubGlobal('fetch', async ({ headers }: Request) => {
    language = headers.get('Accept-Language')
    return Response.json({})
  })
  window.location.href = 'http://portal.example/'
  await initializeTexts()
  await changeLanguage('en')
  await api.getDateTime()
  expect(language).toBe('en')
})
