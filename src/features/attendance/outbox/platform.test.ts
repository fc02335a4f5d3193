// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { callEndpoint } from '#lib/call.ts'
import { PendingEntries } from './pending-entries.ts'
import { createBrowserPlatform, createEntrySender } from './platform.ts'
import { type PresenceEntry, toPresenceFields, withEntryKey } from './records.ts'

const tick: PresenceEntry = {
  kind: 'tick',
  changeId: '0b9c',
  userId: 7,
  courseId: 3,
  courseDateId: 30,
  webUserId: 12,
  isPresent: true,
  recordedAt: 1_795_000_000_000,
  clockOffsetMs: 0,
  state: 'sending',
  attempts: 1,
  lastError: '',
}

/** Server that rejects requests with a message in the request's language. */
async function refuse(request: Request): Promise<Response> {
  const { headers } = request
  const message = { de: 'Die Anwesenheit ist abgeschlossen.', en: 'Attendance is closed.' }
  const language = headers.get('Accept-Language') as 'de' | 'en'
  const token = headers.get('SessionToken')
  return Response.json({ ...(await request.json()), status: 'Failed', message: `${message[language]} ${token}` })
}

const { signal } = new AbortController()
const sendEntry = createEntrySender(callEndpoint)

test('page and service worker send with the credentials and language of the user who recorded the entry', async () => {
  vi.stubGlobal('fetch', refuse)
  const inEnglish = await sendEntry(tick, { userId: 7, token: 'theirs', language: 'en' }, signal)
  expect(inEnglish).toEqual({ isOk: false, isEcho: true, overtakenBy: null, message: 'Attendance is closed. theirs' })
  // As an older version of the app stored it.
  expect((await sendEntry(tick, { userId: 7, token: 'theirs' }, signal)).message).toContain('abgeschlossen')
})

test('a response that differs from the change does not confirm it and contains the prevailing entry', async () => {
  const answer = (tick: PresenceEntry, standing: object) => {
    vi.stubGlobal('fetch', async (request: Request) =>
      Response.json({ ...(await request.json()), status: 'Ok', message: 'später', ...standing }),
    )
    return sendEntry(tick, { userId: 7, token: 'theirs' }, signal)
  }
  const absent: PresenceEntry = { ...tick, isPresent: false }
  const takenBack: PresenceEntry = { ...absent, isRecorded: false }
  for (const [sent, standing, overtakenBy] of [
    [tick, {}, null],
    [absent, {}, null],
    [takenBack, {}, null],
    [tick, { isUserPresent: true, isRecorded: true }, null],
    [tick, { isUserPresent: false, isRecorded: true }, 'absent'],
    [tick, { isUserPresent: false, isRecorded: false }, 'none'],
    [absent, { isUserPresent: false, isRecorded: false }, 'none'],
    [takenBack, { isUserPresent: false, isRecorded: true }, 'absent'],
    [takenBack, { isUserPresent: true, isRecorded: true }, 'present'],
    // A server that cannot reset an attendance entry has recorded the participant as absent.
    [takenBack, { isRecorded: undefined }, 'absent'],
    [tick, { isUserPresent: false }, 'absent'],
  ] as const) {
    expect(await answer(sent, standing)).toMatchObject({ isOk: true, isEcho: true, overtakenBy, message: 'später' })
  }
})

test.each([
  ['present', { changeState: 'added' }],
  ['absent', { changeState: 'deleted' }],
  ['none', { changeState: 'deleted', isRecorded: false }],
] as const)('%s is sent to the portal as %o', async (mark, words) => {
  let said: object = {}
  vi.stubGlobal('fetch', async (request: Request) => {
    said = await request.json()
    return Response.json({ ...said, status: 'Ok', message: '' })
  })
  const { isPresent: _, ...rest } = tick
  await sendEntry({ ...rest, ...toPresenceFields(mark) }, { userId: 7, token: 'theirs' }, signal)
  const { changedAt: _at, changeId: _id, courseDateId, webUserId, ...left } = said as Record<string, unknown>
  expect([courseDateId, webUserId]).toEqual([30, 12])
  expect(left).toEqual(words)
})

const denied = () => {
  throw new DOMException('denied', 'SecurityError')
}
test.each([
  ['blocked', denied],
  ['full', () => null],
])('an own change remains the latest although the clock was set back while the storage is %s', (_, getItem) => {
  vi.stubGlobal('localStorage', { getItem, setItem: denied, removeItem: denied })
  const pending = new PendingEntries(createBrowserPlatform().notes)
  const ofOtherPage: PresenceEntry = { ...tick, changeId: crypto.randomUUID(), isPresent: false, state: 'waiting' }
  const changeId = crypto.randomUUID()
  pending.add([tick], tick.recordedAt - 60_000, (of, recordedAt) => ({ ...of, changeId, state: 'waiting', recordedAt }))
  pending.merge([{ key: withEntryKey(ofOtherPage).key, value: ofOtherPage }], 'database')
  vi.unstubAllGlobals()
  expect(pending.entries()).toMatchObject([{ changeId, isPresent: true }])
})
