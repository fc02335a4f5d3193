import { expect, test } from 'vitest'
import { createBatcher } from './batch.ts'

/** Records batches, which the test then completes. */
function createAsked() {
  const batches: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = []
  const ask = (keys: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ keys, answer: () => resolve(keys.map(key => key.toUpperCase())), fail: reject })
    })
  return { ask, batches, keys: () => batches.map(({ keys }) => keys) }
}
const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

test('calls of one event loop iteration, or made during a batch, share a batch, and each gets its own result', async () => {
  const { ask, batches, keys } = createAsked()
  const find = createBatcher(ask)
  const first = ['a', 'b'].map(find)
  await turn()
  const second = ['c', 'd', 'e'].map(find)
  await turn()
  expect(keys()).toEqual([['a', 'b']])
  batches[0]?.answer()
  expect(await Promise.all(first)).toEqual(['A', 'B'])
  await turn()
  expect(keys()).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
  batches[1]?.answer()
  expect(await Promise.all(second)).toEqual(['C', 'D', 'E'])
  const alone = find('f')
  await turn()
  expect(keys().at(-1)).toEqual(['f'])
  batches[2]?.answer()
  expect(await alone).toBe('F')
})

test('conflicting keys are put into successive batches, in order', async () => {
  const { ask, batches, keys } = createAsked()
  const find = createBatcher(ask, key => key[0])
  const asked = ['a1', 'a2', 'b1', 'a3'].map(find)
  for (let round = 0; round < 3; round++) {
    await turn()
    batches.at(-1)?.answer()
  }
  expect(await Promise.all(asked)).toEqual(['A1', 'A2', 'B1', 'A3'])
  expect(keys()).toEqual([['a1', 'b1'], ['a2'], ['a3']])
})

test('an error rejects the calls of its batch only', async () => {
  const { ask, batches } = createAsked()
  const find = createBatcher(ask)
  const [first, second] = ['a', 'b'].map(key => expect(find(key)).rejects.toThrow('away'))
  await turn()
  const later = find('c')
  batches[0]?.fail(new Error('away'))
  await Promise.all([first, second])
  await turn()
  batches[1]?.answer()
  expect(await later).toBe('C')
})
