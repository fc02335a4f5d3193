// @vitest-environment happy-dom
import i18next from 'i18next'
import { beforeAll, expect, test, vi } from 'vitest'
import { storeLanguage } from '#lib/settings.ts'
import { changeLanguage, initializeTexts } from '../i18n/i18n.ts'
import { startLanguageSync } from './language-sync.ts'

const loadProgramme = vi.hoisted(() => vi.fn())
vi.mock('#features/courses/resource.ts', () => ({ loadProgramme }))

const notify = () => window.dispatchEvent(new StorageEvent('storage'))

beforeAll(initializeTexts)

test('an app that is installed after a switch of the language has its name and shortcuts in that language', async () => {
  document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest">'
  const manifest = () => document.querySelector('link')?.getAttribute('href')
  // The user may switch while the service worker is still being registered.
  await changeLanguage('en')
  startLanguageSync()
  expect(manifest()).toBe('/manifest.en.webmanifest')
  await changeLanguage('de')
  expect(manifest()).toBe('/manifest.webmanifest')
})

test('a window follows another one beside it back to the language from before its own switch', async () => {
  await changeLanguage('de')
  startLanguageSync()
  await changeLanguage('en')
  storeLanguage('de')
  notify()
  await vi.waitFor(() => expect(i18next.language).toBe('de'))
})

test('a tab follows the language that was chosen last in another one, and keeps it stored', async () => {
  startLanguageSync()
  notify()
  expect(i18next.language).toBe('de')
  storeLanguage('en')
  notify()
  storeLanguage('de')
  notify()
  storeLanguage('en')
  await vi.waitFor(() => expect(document.documentElement.lang).toBe('en'))
  await vi.waitFor(() => expect(loadProgramme).toHaveBeenCalled())
  expect(i18next.t('shell:otherLanguage')).toBe('Auf Deutsch umschalten')
  storeLanguage('de')
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(i18next.t('shell:otherLanguage')).toBe('Switch to English'))
  expect(localStorage.getItem('Language')).toBe('de')
})

test('without storage a tab keeps the language that was chosen in it', async () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied })
  await changeLanguage('de')
  startLanguageSync()
  await changeLanguage('en')
  document.dispatchEvent(new Event('visibilitychange'))
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(i18next.language).toBe('en')
  vi.unstubAllGlobals()
})

test('a tab whose choice found no space in the storage follows what another tab stores later', async () => {
  const values = new Map([['Language', 'de']])
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: (key: string) => values.get(key) ?? null, setItem, removeItem: vi.fn() })
  await changeLanguage('de')
  startLanguageSync()
  await changeLanguage('en')
  notify()
  expect(i18next.language).toBe('en')
  // The other tab, which is still in German, is switched to English and back.
  values.set('Language', 'en')
  notify()
  values.set('Language', 'de')
  notify()
  await vi.waitFor(() => expect(i18next.language).toBe('de'))
  vi.unstubAllGlobals()
})
