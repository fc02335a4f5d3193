import { expect, test } from 'vitest'
import { summarizeSettlement } from './model.ts'

test('a settlement of several courses is summed to the cent, in the order of the calculation', () => {
  const course = { entries: 2, sums: { waiver: -0.1, fee: 0.3, 'energy-fee': 0.1 }, sum: 0.3 }
  expect(
    summarizeSettlement({ courses: [course, course, { entries: 0, sums: {}, sum: 0 }], undecided: [], held: [] }),
  ).toEqual({
    sums: [
      { kind: 'fee', amount: 0.6 },
      { kind: 'energy-fee', amount: 0.2 },
      { kind: 'waiver', amount: -0.2 },
    ],
    sum: 0.6,
    unchanged: 1,
    undecided: [],
    held: [],
  })
})
