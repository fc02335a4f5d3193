import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndpointListItem, EndpointOptions } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { type ScreenResource, useResource } from '#lib/resource.ts'
import { showError } from '#lib/toast.ts'
import { fetchList, fetchPage, type ListName, type ListPage } from './list-resource.ts'

/** The pages of a list that have not been loaded yet. */
export type UnloadedPages<Row> = {
  /** loads the next page, or all remaining ones */
  readOn: (isAll?: boolean) => void
  /** fetches the complete list */
  readWhole: () => Promise<Row[]>
  /** whether the last fetch failed */
  isStuck: boolean
}

type Held<Page> = { first: Page | null; pages: Page[]; wanted: number; isStuck: boolean }

const FIRST_PAGE_SIZE = '100'

/**
 * Paginated list that loads more pages as the user scrolls and starts over after each action. `rest` is null once
 * everything is loaded.
 */
export function usePaginatedList<Name extends ListName>(
  name: Name,
  query: EndpointOptions<Name>['query'],
): Pick<ScreenResource<EndpointListItem<Name>[]>, 'data' | 'error' | 'isLoading' | 'reload'> & {
  rest: UnloadedPages<EndpointListItem<Name>> | null
} {
  const { t } = useTranslation('office')
  const reading = useResource(name, { query: { ...query, limit: FIRST_PAGE_SIZE } } as unknown as EndpointOptions<Name>)
  const first = reading.data as ListPage<Name> | null
  const [held, setHeld] = useState<Held<ListPage<Name>>>({ first, pages: [], wanted: 0, isStuck: false })
  // If the first page has changed, the pages loaded after it are outdated and discarded.
  const now: Held<ListPage<Name>> = held.first === first ? held : { first, pages: [], wanted: 0, isStuck: false }
  const change = (more: (before: Held<ListPage<Name>>) => Partial<Held<ListPage<Name>>>) =>
    setHeld(before => {
      const own = before.first === first ? before : now
      return { ...own, ...more(own) }
    })
  const next = (now.pages.at(-1) ?? first)?.next ?? null
  const isWanted = next !== null && now.wanted > now.pages.length && !now.isStuck
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetches one page at a time
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    fetchPage(name, query, { after: next, signal: stop.signal }).then(
      page => stop.signal.aborted || change(({ pages }) => ({ pages: [...pages, page] })),
      error => {
        if (stop.signal.aborted) return
        change(({ pages }) => ({ wanted: pages.length, isStuck: true }))
        showError(errorMessageOf(error, t('noAnswer')))
      },
    )
    return () => stop.abort()
  }, [first, next, isWanted])
  const readOn = (isAll = false) => {
    const all = Number.POSITIVE_INFINITY
    if (isAll ? now.wanted === all : isWanted) return
    if (isAll) change(() => ({ wanted: all, isStuck: false }))
    else change(({ pages }) => ({ wanted: pages.length + 1, isStuck: false }))
  }
  return {
    ...reading,
    data: first && [first, ...now.pages].flatMap(({ items }) => items),
    isLoading: reading.isLoading || isWanted,
    rest: next === null ? null : { readOn, readWhole: () => fetchList(name, query), isStuck: now.isStuck },
  }
}
