import { expect, test } from 'vitest'
import { createBatcher } from './batch.ts'

/** Answers when told to. */
function createAsked() {
  const batches: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = []
  const ask = (keys: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ keys, answer: () => resolve(keys.map(key => key.toUpperCase())), fail: reject })
    })
  return { ask, batches, keys: () => batches.map(({ keys }) => keys) }
}
const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

test('what is asked in one turn, and while others are answered, goes together, and everybody gets their own answer', async () => {
  const { ask, batches, keys } = createAsked()
  const find = createBatcher(ask, { maxUnderWay: 1 })
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

test('a second statement goes beside the first for many, not for a few', async () => {
  const { ask, keys } = createAsked()
  const find = createBatcher(ask)
  find('first')
  await turn()
  find('few')
  await turn()
  expect(keys()).toEqual([['first']])
  for (let count = 0; count < 40; count++) find(`many ${count}`)
  await turn()
  expect(keys()).toHaveLength(2)
  expect(keys()[1]).toHaveLength(41)
})

test('rivals are asked one after the other, in their order', async () => {
  const { ask, batches, keys } = createAsked()
  const find = createBatcher(ask, { maxUnderWay: 1, rivalKeyOf: key => key[0] })
  const asked = ['a1', 'a2', 'b1', 'a3'].map(find)
  for (let round = 0; round < 3; round++) {
    await turn()
    batches.at(-1)?.answer()
  }
  expect(await Promise.all(asked)).toEqual(['A1', 'A2', 'B1', 'A3'])
  expect(keys()).toEqual([['a1', 'b1'], ['a2'], ['a3']])
})

test('the next statement is on its way before those of the last one go on', async () => {
  const { ask, batches } = createAsked()
  const order: string[] = []
  const find = createBatcher(
    async (keys: string[]) => {
      // As a statement waits for its connection.
      for (let hop = 0; hop < 10; hop++) await null
      order.push(`${keys} sent`)
      return ask(keys)
    },
    { maxUnderWay: 1 },
  )
  const tell = (key: string) => find(key).then(() => order.push(`${key} told`))
  const first = tell('a')
  await turn()
  const second = tell('b')
  batches[0]?.answer()
  await first
  batches[1]?.answer()
  await second
  expect(order).toEqual(['a sent', 'b sent', 'a told', 'b told'])
})

test('an error reaches those who asked together, and nobody else', async () => {
  const { ask, batches } = createAsked()
  const find = createBatcher(ask, { maxUnderWay: 1 })
  const [first, second] = ['a', 'b'].map(key => expect(find(key)).rejects.toThrow('away'))
  await turn()
  const later = find('c')
  batches[0]?.fail(new Error('away'))
  await Promise.all([first, second])
  await turn()
  batches[1]?.answer()
  expect(await later).toBe('C')
})
