import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hideSmallGroups } from './report-rules.ts'

const shown = (...counts: number[]) => hideSmallGroups(counts.map(count => ({ count }))).map(({ count }) => count)

test.each<[number[], (number | null)[]]>([
  [
    [5, 30, 100],
    [5, 30, 100],
  ],
  // One hidden group would be the total less the others.
  [
    [4, 30, 100],
    [null, null, 100],
  ],
  // Two groups of together 2 are 1 and 1.
  [
    [1, 1, 30, 40],
    [null, null, null, 40],
  ],
  [
    [2, 4, 30],
    [null, null, 30],
  ],
  [[3], []],
  // All of them would be 1.
  [[1, 1, 1, 1, 1], []],
  [[], []],
])('%j is shown as %j', (counts, expected) => {
  expect(shown(...counts)).toEqual(expected)
})

/** The sizes that hidden groups can have: all splits of their sum that the rule would hide in the same way. */
function possibleSizes(groups: readonly number[], isHidden: readonly boolean[]): Set<number>[] {
  const places = groups.flatMap((_, index) => (isHidden[index] ? [index] : []))
  const sum = places.reduce((total, index) => total + (groups[index] ?? 0), 0)
  const found = places.map(() => new Set<number>())
  const split = (sizes: number[], rest: number): void => {
    if (sizes.length === places.length - 1) {
      if (rest < 1) return
      const all = [...sizes, rest]
      const guess = groups.map((count, index) => (isHidden[index] ? (all[places.indexOf(index)] ?? 0) : count))
      if (shown(...guess).some((count, index) => (count === null) !== isHidden[index])) return
      for (const [index, size] of all.entries()) found[index]?.add(size)
      return
    }
    for (let size = 1; size < rest; size += 1) split([...sizes, size], rest - size)
  }
  if (places.length > 0) split([], sum)
  return found
}

test('no group of fewer than five follows from the total and the shown groups, also for who knows the rule', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }), groups => {
      const found = shown(...groups)
      if (found.length === 0) return
      const isHidden = found.map(count => count === null)
      for (const [index, count] of groups.entries()) if (count < 5) expect(isHidden[index]).toBe(true)
      for (const sizes of possibleSizes(groups, isHidden)) expect(sizes.size).toBeGreaterThan(1)
    }),
    { numRuns: 500 },
  )
})
