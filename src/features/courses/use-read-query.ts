import { use } from 'react'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import type { Query } from './search-model.ts'

/** Nobody has typed anything: every course fits, in its order. */
export const NO_QUERY: Query = { tokens: [], isMatch: () => true, countFits: () => 0, rank: courses => courses }

type Search = typeof import('./search-model.ts')
let search: Search | null = null
let coming: Promise<Search> | null = null

/** What reads words comes after the list, which shows without it: when a letter, a tap into the box or the long texts ask for it. */
export function fetchSearch(): Promise<Search> {
  coming ??= retryUntilLoaded(() => import('./search-model.ts')).then(loaded => {
    search = loaded
    return loaded
  })
  return coming
}

const readNothing: Search['readQuery'] = () => NO_QUERY

/** How to read words. Suspends when there are some and the search has still to come. */
export function useReadQuery(text: string): Search['readQuery'] {
  if (text.trim() === '') return search?.readQuery ?? readNothing
  return (search ?? use(fetchSearch())).readQuery
}
