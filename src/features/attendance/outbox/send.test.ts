import { expect, test } from 'vitest'
import { createCall } from '#lib/call.ts'
import type { Tick } from './records.ts'
import { sendEntryThrough } from './send.ts'

const tick: Tick = {
  ...{ kind: 'tick', changeId: '0b9c', userId: 7, courseId: 3, courseDateId: 30, webUserId: 12, isPresent: true },
  ...{ recordedAt: 1_795_000_000_000, clockOffsetMs: 0, state: 'sending', attempts: 1, lastError: '' },
}

/** A portal that refuses in the language it is asked in. */
async function refuse(_: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  const message = { de: 'Die Anwesenheit ist abgeschlossen.', en: 'Attendance is closed.' }
  const language = headers.get('Accept-Language') as 'de' | 'en'
  const token = headers.get('SessionToken')
  return Response.json({ ...JSON.parse(String(init.body)), status: 'Failed', message: `${message[language]} ${token}` })
}

const sendEntry = sendEntryThrough(createCall(refuse))

test('whoever sends, page or worker, asks as the person who recorded it and in their language', async () => {
  const inEnglish = await sendEntry(tick, { userId: 7, token: 'theirs', language: 'en' })
  expect(inEnglish).toEqual({ isOk: false, isEcho: true, isOvertaken: false, message: 'Attendance is closed. theirs' })
  // As an older version of the app stored it.
  expect((await sendEntry(tick, { userId: 7, token: 'theirs' })).message).toContain('abgeschlossen')
})

test('an answer that says otherwise than the change is no confirmation of it', async () => {
  const answer = (isUserPresent: boolean) =>
    sendEntryThrough(
      createCall(async (_, { body }) =>
        Response.json({ ...JSON.parse(String(body)), status: 'Ok', message: 'später', isUserPresent }),
      ),
    )
  const sender = { userId: 7, token: 'theirs' }
  expect(await answer(false)(tick, sender)).toMatchObject({ isOk: true, isOvertaken: true, message: 'später' })
  expect(await answer(true)(tick, sender)).toMatchObject({ isOk: true, isOvertaken: false })
})
