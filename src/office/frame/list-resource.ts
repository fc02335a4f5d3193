import { api, type EndpointListItem, type EndpointName, type EndpointOptions } from '#lib/api.ts'
import { type ScreenResource, useScreenResource } from '#lib/resource.ts'

/** Names of the endpoints that return a paginated list. */
export type ListName = { [Name in EndpointName]: [EndpointListItem<Name>] extends [never] ? never : Name }[EndpointName]
type Query<Name extends ListName> = EndpointOptions<Name>['query']
export type ListPage<Name extends ListName> = { items: EndpointListItem<Name>[]; next: string | null }

const PAGE_SIZE = '500'

/** Fetches one page of a list. @param after `next` of the previous page; null for the first */
export const fetchPage = <Name extends ListName>(
  name: Name,
  query: Query<Name> | undefined,
  { after, limit = PAGE_SIZE, signal }: { after: string | null; limit?: string; signal?: AbortSignal | undefined },
) =>
  api[name]({
    query: { ...query, limit, ...(after !== null && { after }) },
    ...(signal && { signal }),
  } as unknown as EndpointOptions<Name>) as unknown as Promise<ListPage<Name>>

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
