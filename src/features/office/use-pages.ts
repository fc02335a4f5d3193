import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint, ItemOf } from '#contract/endpoint.ts'
import { messageOf } from '#lib/api-error.ts'
import type { SaidQuery } from '#lib/call.ts'
import { showError } from '#lib/toast.ts'
import { AT_ONCE, type PageOf, readList, readPage, toPageQuery } from './resource.ts'
import { type Reading, useRead } from './use-read.ts'

/** What the portal still has of a list. */
export type Rest<Row> = {
  /** one page more, or all of them, are to be read */
  readOn: (isAll?: boolean) => void
  /** reads the complete list */
  readWhole: () => Promise<Row[]>
  /** the last fetch failed */
  isStuck: boolean
}

type Held<Page> = { first: Page | null; pages: Page[]; wanted: number; isStuck: boolean }

const FIRST = '100'

/** Paginated list, loaded on scrolling and reset after each act. `rest` is null at the end. */
export function usePages<E extends Endpoint>(
  endpoint: E,
  query: SaidQuery<E>,
): Reading<ItemOf<E>[]> & { rest: Rest<ItemOf<E>> | null } {
  type Page = PageOf<E>
  const { t } = useTranslation('office')
  const reading = useRead(endpoint, { query: toPageQuery(query, FIRST) })
  const first = reading.data as Page | null
  const [held, setHeld] = useState<Held<Page>>({ first, pages: [], wanted: 0, isStuck: false })
  // Pages after a different first page belong to an outdated list.
  const now: Held<Page> = held.first === first ? held : { first, pages: [], wanted: 0, isStuck: false }
  const change = (more: (before: Held<Page>) => Partial<Held<Page>>) =>
    setHeld(before => {
      const own = before.first === first ? before : now
      return { ...own, ...more(own) }
    })
  const next = (now.pages.at(-1) ?? first)?.next ?? null
  const isWanted = next !== null && now.wanted > now.pages.length && !now.isStuck
  // biome-ignore lint/correctness/useExhaustiveDependencies: one page after the other
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    readPage(endpoint, toPageQuery(query, AT_ONCE, next), stop.signal).then(
      page => stop.signal.aborted || change(({ pages }) => ({ pages: [...pages, page] })),
      error => {
        if (stop.signal.aborted) return
        change(({ pages }) => ({ wanted: pages.length, isStuck: true }))
        showError(messageOf(error, t('noAnswer')))
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
    rest: next === null ? null : { readOn, readWhole: () => readList(endpoint, query), isStuck: now.isStuck },
  }
}
