// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { useSearchCriteria } from './search-criteria-store.ts'
import { persistRecentSearches } from './search-sync.ts'

const recent = () => useSearchCriteria.getState().recent
/** Reopens the app as the given user. */
const reopen = persistRecentSearches

beforeEach(() => {
  localStorage.clear()
  reopen(null)
})

test('recent searches are offered at the next start, latest first and without duplicates', () => {
  for (const text of ['yoga', 'di abend', 'yoga ', 'ab']) useSearchCriteria.getState().remember(text)
  reopen(null)
  expect(recent()).toEqual(['yoga', 'di abend'])
  useSearchCriteria.getState().forget()
  reopen(null)
  expect(recent()).toEqual([])
})

test('recent searches are offered only to their user and deleted when another user logs in', () => {
  reopen(7)
  useSearchCriteria.getState().remember('rücken')
  reopen(7)
  expect(recent()).toEqual(['rücken'])
  persistRecentSearches(null)
  expect([recent(), localStorage.length]).toEqual([[], 0])
})
