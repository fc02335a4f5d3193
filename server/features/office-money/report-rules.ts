import { MIN_GROUP_SIZE } from '#contract/office-report.ts'

type Group = { count: number }
type ShownGroup<G extends Group> = Omit<G, 'count'> & { count: number | null }

/**
 * Hides groups of fewer than five people, and then the next larger ones until no size follows from the total (complementary cell
 * suppression): the hidden sum is neither close to the smallest nor to the largest that the shown groups allow.
 * @param groups without empty ones; their sum is public
 * @returns no group at all if hiding all of them is not enough
 */
export function hideSmallGroups<G extends Group>(groups: readonly G[]): ShownGroup<G>[] {
  const ascending = [...groups].sort((a, b) => a.count - b.count)
  const isSafe = (size: number) => {
    const counts = ascending.slice(0, size).map(({ count }) => count)
    const sum = counts.reduce((total, count) => total + count, 0)
    const largest = (ascending[size]?.count ?? Infinity) - 1
    const slack = MIN_GROUP_SIZE - 1
    const isTied = (counts.at(-1) ?? 0) > largest
    return size === 0 || (size > 1 && !isTied && sum >= size + slack && sum <= size * largest - slack)
  }
  let size = ascending.filter(({ count }) => count < MIN_GROUP_SIZE).length
  while (size < ascending.length && !isSafe(size)) size += 1
  if (!isSafe(size)) return []
  const hidden = new Set(ascending.slice(0, size))
  return groups.map(group => ({ ...group, count: hidden.has(group) ? null : group.count }))
}

/** Groups rows by a key, in the order of their first appearance, and counts them. */
export const countBy = <Row, Key extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Key & { count: number })[] =>
  [...Map.groupBy(rows, row => JSON.stringify(keyOf(row)))].map(([key, same]) => ({
    ...(JSON.parse(key) as Key),
    count: same.length,
  }))
