import { expect, test } from 'vitest'
import { tick, USER } from '#test/outbox/world.ts'
import type { OutboxView } from './records.ts'
import { countWaitingByCourse, describeUnreadableRecord, outboxStatusMessages } from './records.ts'

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
const of = (changes: Partial<OutboxView>) => outboxStatusMessages(view(changes), USER)
const waiting = tick()

test.each<[string, Partial<OutboxView>, object]>([
  ['storage not read yet', { isRead: false }, { kind: 'unknown' }],
  ['no storage', { disk: 'none', isRead: false }, { kind: 'disk', disk: 'none' }],
  ['storage that does not respond', { disk: 'slow' }, { kind: 'disk', disk: 'slow' }],
  ['storage of a newer version', { disk: 'newer' }, { kind: 'disk', disk: 'newer' }],
  ['a pending write', { entries: [waiting], saving: new Set([waiting.changeId]) }, { kind: 'saving', count: 1 }],
  ['a failed write', { entries: [waiting], unstored: new Set([waiting.changeId]) }, { kind: 'notStored', count: 1 }],
  ['a waiting entry', { entries: [waiting] }, { kind: 'waiting', count: 1 }],
  ['an entry being sent', { entries: [tick({ state: 'sending' })] }, { kind: 'waiting', count: 1 }],
  ['a rejected entry', { entries: [tick({ state: 'refused' })] }, { kind: 'toDecide', count: 1 }],
  ['a superseded entry', { entries: [tick({ state: 'overtaken' })] }, { kind: 'toDecide', count: 1 }],
  ['another user’s entry', { entries: [tick({ userId: 8 })] }, { kind: 'others', count: 1 }],
  ['a lost entry', { shelf: [describeUnreadableRecord('lost', '{', null)] }, { kind: 'lost' }],
  ['an unreadable record', { shelf: [describeUnreadableRecord('damaged', 'x', null)] }, { kind: 'shelved' }],
])('%s has its own message and is not treated as saved', (_, changes, statement) => {
  expect(of(changes)).toMatchObject([statement])
})

test('"all saved" is shown only without any other message', () => {
  expect(of({})).toEqual([{ kind: 'allSafe' }])
  expect(of({ entries: [tick({ state: 'confirmed' })] })).toEqual([{ kind: 'allSafe' }])
})

test('several messages are all shown, the most urgent first', () => {
  const unstored = tick({ webUserId: 101 })
  const entries = [waiting, unstored, tick({ state: 'refused' }), tick({ userId: 8 })]
  const kinds = of({ entries, unstored: new Set([unstored.changeId]), disk: 'slow' }).map(({ kind }) => kind)
  expect(kinds).toEqual(['disk', 'notStored', 'toDecide', 'waiting', 'others'])
})

test('without a session, pending changes are counted by course', () => {
  const entries = [tick(), tick({ webUserId: 101 }), tick({ courseId: 2 }), tick({ courseId: 3, state: 'confirmed' })]
  expect(countWaitingByCourse(view({ entries }), 0).map(({ entry, count }) => [entry.courseId, count])).toEqual([
    [1, 2],
    [2, 1],
  ])
})
