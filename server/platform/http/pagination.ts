/** Request for a page (keyset pagination). `after`: last key of the previous page. */
export type KeysetPage<Key> = { limit: number; after: Key }
export type PageRequest = { limit?: number | undefined; after?: number | undefined }

/**
 * Creates a page response.
 * @param rows the page's rows, plus one more if another page follows
 */
export const toPage = <Key extends string, Row extends Record<Key, number | string>>(
  key: Key,
  rows: Row[],
  limit: number,
) => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? String(last[key]) : null }
}

/** Finds a page of a list, by default with 100 rows. */
export async function findPage<Key extends string, Row extends Record<Key, number>>(
  { limit = 100, after = 0 }: PageRequest,
  key: Key,
  list: (page: KeysetPage<number>) => Promise<Row[]>,
) {
  return toPage(key, await list({ limit, after }), limit)
}
