import { useEffect, useLayoutEffect, useRef } from 'react'
import { useQueryString } from '#lib/use-query-string.ts'
import { showListViewOf, useListView, withListView } from '../list-view-store.ts'
import { useSearchCriteria } from './search-criteria-store.ts'
import { parseSearchUrl, toSearchUrl } from './search-url-model.ts'

const WRITE_DELAY_MS = 200

/**
 * Synchronizes the search criteria and the view with the URL. Criteria in the URL take precedence; if there are none, those in
 * memory apply. Every change is written to the URL, so that it can be shared.
 */
export function useSearchCriteriaUrl(): void {
  const search = useQueryString()
  const written = useRef<string | null>(null)

  useLayoutEffect(() => {
    const carried = parseSearchUrl(search)
    if (search === written.current?.slice(1)) return
    if (carried) useSearchCriteria.getState().replace(carried)
    showListViewOf(search)
  }, [search])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new URL must trigger a write as well
  useEffect(() => {
    const { pathname } = window.location
    let timer = 0
    const write = () => {
      clearTimeout(timer)
      const wanted = withListView(toSearchUrl(useSearchCriteria.getState().criteria))
      if (window.location.search === wanted || window.location.pathname !== pathname) return
      written.current = wanted
      window.history.replaceState(window.history.state, '', `${pathname}${wanted}`)
    }
    // `history.replaceState` takes some milliseconds, so it is deferred until the result has been painted.
    const writeSoon = () => {
      clearTimeout(timer)
      timer = window.setTimeout(write, WRITE_DELAY_MS)
    }
    writeSoon()
    const stops = [useSearchCriteria.subscribe(writeSoon), useListView.subscribe(writeSoon)]
    // A click may leave the list, whose URL must be up to date by then for the Back button.
    document.addEventListener('click', write, true)
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      document.removeEventListener('click', write, true)
    }
  }, [search])
}
