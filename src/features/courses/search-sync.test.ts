// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { useSearchCriteria } from './search-criteria-store.ts'
import { persistRecentSearches } from './search-sync.ts'

const recent = () => useSearchCriteria.getState().recent
/** The app is opened again, by somebody: what it offers is what the device has kept. */
const reopen = persistRecentSearches

beforeEach(() => {
  localStorage.clear()
  reopen(null)
})

test('what was searched for is offered at the next start, the latest first and each once', () => {
  for (const text of ['yoga', 'di abend', 'yoga ', 'ab']) useSearchCriteria.getState().remember(text)
  reopen(null)
  expect(recent()).toEqual(['yoga', 'di abend'])
  useSearchCriteria.getState().forget()
  reopen(null)
  expect(recent()).toEqual([])
})

test('nobody else is offered what one person searched for, and it leaves the device with them', () => {
  reopen(7)
  useSearchCriteria.getState().remember('rücken')
  reopen(7)
  expect(recent()).toEqual(['rücken'])
  persistRecentSearches(null)
  expect([recent(), localStorage.length]).toEqual([[], 0])
})
