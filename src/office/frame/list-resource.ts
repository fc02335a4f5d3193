import { api, type EndpointListItem, type EndpointName, type EndpointOptions } from '#lib/api.ts'
import { ApiError } from '#lib/api-error.ts'
import { type ScreenResource, useScreenResource } from '#lib/resource.ts'

/** Names of the endpoints that return a paginated list. */
export type ListName = { [Name in EndpointName]: [EndpointListItem<Name>] extends [never] ? never : Name }[EndpointName]
type Query<Name extends ListName> = EndpointOptions<Name>['query']
export type ListPage<Name extends ListName> = { items: EndpointListItem<Name>[]; next: string | null }

const PAGE_SIZE = '500'

/** The request limit allows the next page after a few seconds. */
const MAX_WAIT_MS = 10_000

/**
 * Fetches one page of a list. Waits for the request limit, which a long list exceeds.
 * @param after `next` of the previous page; null for the first
 */
export async function fetchPage<Name extends ListName>(
  name: Name,
  query: Query<Name> | undefined,
  { after, limit = PAGE_SIZE, signal }: { after: string | null; limit?: string; signal?: AbortSignal | undefined },
): Promise<ListPage<Name>> {
  const options = { query: { ...query, limit, ...(after !== null && { after }) }, ...(signal && { signal }) }
  for (;;) {
    try {
      return (await api[name](options as unknown as EndpointOptions<Name>)) as unknown as ListPage<Name>
    } catch (error) {
      const waitMs = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) * 1_000 : 0
      if (after === null || waitMs === 0 || waitMs > MAX_WAIT_MS) throw error
      await new Promise(resolve => setTimeout(resolve, waitMs))
      signal?.throwIfAborted()
    }
  }
}

/** Fetches all pages of a list. @param show receives the rows fetched so far, as long as there are more */
export async function fetchList<Name extends ListName>(
  name: Name,
  query?: Query<Name>,
  { signal, show }: { signal?: AbortSignal; show?: (rows: EndpointListItem<Name>[]) => void } = {},
): Promise<EndpointListItem<Name>[]> {
  let rows: EndpointListItem<Name>[] = []
  let after: string | null = null
  for (;;) {
    const page: ListPage<Name> = await fetchPage(name, query, { after, signal })
    rows = [...rows, ...page.items]
    after = page.next
    if (after === null) return rows
    show?.(rows)
  }
}

/** Fetches the current state of a row. @throws Error if it no longer exists */
export async function fetchRow<Name extends ListName>(
  name: Name,
  fits: (row: EndpointListItem<Name>) => boolean,
): Promise<EndpointListItem<Name>> {
  const found = (await fetchList(name)).find(fits)
  if (found === undefined) throw new Error(`${name}: the row no longer exists`)
  return found
}

/** All rows of a list, shown as pages arrive. @param query null sends no request yet */
export const useCompleteList = <Name extends ListName>(
  name: Name,
  query?: Query<Name> | null,
): ScreenResource<EndpointListItem<Name>[]> =>
  useScreenResource(query === null ? null : JSON.stringify([name, query]), request =>
    fetchList(name, query ?? undefined, request),
  )
