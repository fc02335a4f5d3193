import type { Endpoint, ItemOf } from '#contract/endpoint.ts'
import type { CallOptions, SaidQuery } from '#lib/call.ts'
import { callOffice } from './api.ts'

/** One thing of a list that comes in pages. */
export type PageOf<E extends Endpoint> = { items: ItemOf<E>[]; next: string | null }
/** Page size. */
export const AT_ONCE = '500'

/** A question for one page of a list. @param after where the page before it ended */
export const toPageQuery = <E extends Endpoint>(
  query: SaidQuery<E> | null | undefined,
  limit: string,
  after: string | null = null,
) => ({ ...query, limit, ...(after !== null && { after }) }) as unknown as SaidQuery<E>

/** @param query with `limit` and `after` */
export const readPage = <E extends Endpoint>(endpoint: E, query: SaidQuery<E>, signal?: AbortSignal) =>
  callOffice(endpoint, { query, ...(signal && { signal }) } as unknown as CallOptions<E>) as Promise<PageOf<E>>

/** Reads all pages of a list. @param onPart receives the items so far, while there are more */
export async function readList<E extends Endpoint>(
  endpoint: E,
  query?: SaidQuery<E> | null,
  { onPart, signal }: { onPart?: (items: ItemOf<E>[]) => void; signal?: AbortSignal } = {},
): Promise<ItemOf<E>[]> {
  let items: ItemOf<E>[] = []
  let after: string | null = null
  for (;;) {
    const page: PageOf<E> = await readPage(endpoint, toPageQuery(query, AT_ONCE, after), signal)
    items = [...items, ...page.items]
    after = page.next
    if (after === null) return items
    onPart?.(items)
  }
}

/** Reads the current state of one item. @throws Error if it no longer exists */
export async function readOne<E extends Endpoint>(
  endpoint: E,
  fits: (item: ItemOf<E>) => boolean,
  query?: SaidQuery<E>,
): Promise<ItemOf<E>> {
  const found = (await readList(endpoint, query)).find(fits)
  if (found === undefined) throw new Error('the item that the act refers to no longer exists')
  return found
}
