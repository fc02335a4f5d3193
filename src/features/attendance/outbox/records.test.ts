import { expect, test } from 'vitest'
import { tick, USER } from '#test/outbox/world.ts'
import type { OutboxView } from './records.ts'
import { countWaitingByCourse, describeUnreadableRecord, statusMessages } from './records.ts'

const view = (changes: Partial<OutboxView> = {}): OutboxView => ({
  entries: [],
  saving: new Set(),
  unstored: new Set(),
  shelf: [],
  isRead: true,
  disk: 'ok',
  failures: 0,
  lastTriedAt: null,
  ...changes,
})
const of = (changes: Partial<OutboxView>) => statusMessages(view(changes), USER)
const waiting = tick()

test.each<[string, Partial<OutboxView>, object]>([
  ['what is not read yet', { isRead: false }, { kind: 'unknown' }],
  ['no storage', { disk: 'none', isRead: false }, { kind: 'disk', disk: 'none' }],
  ['a storage that does not answer', { disk: 'slow' }, { kind: 'disk', disk: 'slow' }],
  ['a newer app’s storage', { disk: 'newer' }, { kind: 'disk', disk: 'newer' }],
  ['what is being written', { entries: [waiting], saving: new Set([waiting.changeId]) }, { kind: 'saving', count: 1 }],
  [
    'what could not be written',
    { entries: [waiting], unstored: new Set([waiting.changeId]) },
    { kind: 'notStored', count: 1 },
  ],
  ['what waits', { entries: [waiting] }, { kind: 'waiting', count: 1 }],
  ['what is on its way', { entries: [tick({ state: 'sending' })] }, { kind: 'waiting', count: 1 }],
  ['what was refused', { entries: [tick({ state: 'refused' })] }, { kind: 'toDecide', count: 1 }],
  ['what was overtaken', { entries: [tick({ state: 'overtaken' })] }, { kind: 'toDecide', count: 1 }],
  ['what waits for another person', { entries: [tick({ userId: 8 })] }, { kind: 'others', count: 1 }],
  ['what is lost', { shelf: [describeUnreadableRecord('lost', '{', null)] }, { kind: 'lost' }],
  ['what cannot be read', { shelf: [describeUnreadableRecord('damaged', 'x', null)] }, { kind: 'shelved' }],
])('%s has a sentence of its own, and is not safe', (_, changes, statement) => {
  expect(of(changes)).toMatchObject([statement])
})

test('all is safe only when there is nothing else to say', () => {
  expect(of({})).toEqual([{ kind: 'allSafe' }])
  expect(of({ entries: [tick({ state: 'confirmed' })] })).toEqual([{ kind: 'allSafe' }])
})

test('several things are all said, the most urgent first', () => {
  const unstored = tick({ webUserId: 101 })
  const entries = [waiting, unstored, tick({ state: 'refused' }), tick({ userId: 8 })]
  const kinds = of({ entries, unstored: new Set([unstored.changeId]), disk: 'slow' }).map(({ kind }) => kind)
  expect(kinds).toEqual(['disk', 'notStored', 'toDecide', 'waiting', 'others'])
})

test('without a session what waits is counted by course', () => {
  const entries = [tick(), tick({ webUserId: 101 }), tick({ courseId: 2 }), tick({ courseId: 3, state: 'confirmed' })]
  expect(countWaitingByCourse(view({ entries }), 0).map(({ entry, count }) => [entry.courseId, count])).toEqual([
    [1, 2],
    [2, 1],
  ])
})
