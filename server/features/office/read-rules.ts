/** What a list was asked for. `after`: the last id of the page before, 0 for the first page. */
export const pageOf = ({ limit = 100, after = 0 }: { limit?: number | undefined; after?: number | undefined }) => ({
  limit,
  after,
})

/** The rows of a page, one more having been asked for to know whether another follows. */
export const toPage = <Row>(rows: Row[], limit: number, keyOf: (row: Row) => number) => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? String(keyOf(last)) : null }
}
