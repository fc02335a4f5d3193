import { use } from 'react'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import type { SearchQuery } from './search-model.ts'

/** For an empty query: every course matches, and the order stays as it is. */
export const NO_QUERY: SearchQuery = { tokens: [], isMatch: () => true, countFits: () => 0, rank: courses => courses }

type Search = typeof import('./search-model.ts')
let search: Search | null = null
let coming: Promise<Search> | null = null

/** Loads the search chunk on demand (first keystroke, focus or long texts), because the list is shown without it. */
export function loadSearchModule(): Promise<Search> {
  coming ??= retryUntilLoaded(() => import('./search-model.ts')).then(loaded => {
    search = loaded
    return loaded
  })
  return coming
}

const readNothing: Search['parseSearchQuery'] = () => NO_QUERY

/** Returns the query parser. Suspends while the search chunk is loading, unless the text is empty. */
export function useSearchQueryParser(text: string): Search['parseSearchQuery'] {
  if (text.trim() === '') return search?.parseSearchQuery ?? readNothing
  return (search ?? use(loadSearchModule())).parseSearchQuery
}
