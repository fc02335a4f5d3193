/** What of a list was asked for. `after`: the key that the page before ended with. */
export type Page<Key> = { limit: number; after: Key }
export type AskedPage = { limit?: number | undefined; after?: number | undefined }

/** The rows of a page, one more having been asked for to know whether another follows. */
export const toPage = <Key extends string, Row extends Record<Key, number | string>>(
  key: Key,
  rows: Row[],
  limit: number,
) => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? String(last[key]) : null }
}

/** A page of a list, 100 rows of it unless asked for another number. */
export async function findPage<Key extends string, Row extends Record<Key, number>>(
  { limit = 100, after = 0 }: AskedPage,
  key: Key,
  list: (page: Page<number>) => Promise<Row[]>,
) {
  return toPage(key, await list({ limit, after }), limit)
}
