import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerSubstituteRequest, listSubstituteRequests } from '#contract/endpoints/substitutes.ts'
import { listSubstituteCandidates } from '#contract/office/planning.ts'
import { getToday } from '#contract/office/today.ts'
import { runImport } from '#server/commands/import.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertInstructorWithSession,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { BASIC_FOLDER, COURSE_HEADER, createTestFolder } from '#server/test/import-folder.ts'
import { openTestDesk, openTestOffice, type TestAct } from '#server/test/office.ts'
import { sendMails } from '#server/test/sent-mails.ts'

const { server, act, actAsPreviewed, token } = await openTestOffice(['programme'], {
  publicUrl: 'https://sport.example.com',
})
const { db } = server

async function insertLesson(days: number, time: string, instructorEmails: string[] = []) {
  const at = `${dateFromNow(days)} ${time}:00`
  const course = await insertCourse(db, { startsOn: dateFromNow(days), dates: [at], instructorEmails })
  const { id } = await db.one<{ id: number }>(sql`select id from course_dates where course_id = ${course.id}`)
  return { ...course, lessonId: id }
}

const until = (days = 1) => `${dateFromNow(days)}T12:00`

/** E-mails sent since the previous call. */
let seen = 0
async function newMails() {
  const mails = await sendMails(db)
  const fresh = mails.slice(seen)
  seen = mails.length
  return fresh
}
const recipientsOf = (mails: Awaited<ReturnType<typeof newMails>>, kind = 'notice') =>
  mails.flatMap(mail => (mail.kind === kind ? mail.recipient : [])).sort()
const linkOf = (mails: Awaited<ReturnType<typeof newMails>>, email: string): string =>
  mails.find(({ recipient, kind }) => recipient === email && kind === 'substitute-request')?.payload.token ?? ''
const answer = async (courseDateIds: number[], accept: boolean, by: { token?: string; link?: string }) =>
  (
    await server.request(answerSubstituteRequest, {
      body: { courseDateIds, accept, ...(by.link && { token: by.link }) },
      ...(by.token && { token: by.token }),
    })
  ).body
const list = async (by: { token?: string; link?: string }) =>
  (
    await server.request(listSubstituteRequests, {
      body: by.link ? { token: by.link } : {},
      ...(by.token && { token: by.token }),
    })
  ).body
const today = async (lessonId: number) =>
  (await server.request(getToday, { token })).body.substitutes?.find(({ courseDateId }) => courseDateId === lessonId)
const substituteOf = async (lessonId: number) =>
  (
    await db.one<{ email: string | null }>(
      sql`select instructor_email as email from course_dates where id = ${lessonId}`,
    )
  ).email

test('the first yes gets the lesson: the booked hear once, with the name; the others learn that it is taken', async () => {
  const [ill, quick, slow] = [
    await insertInstructorWithSession(db),
    await insertInstructorWithSession(db, { givenName: 'Levin', familyName: 'Rasch' }),
    await insertInstructor(db, { familyName: 'Spaet' }),
  ]
  const busy = await insertInstructor(db)
  const lesson = await insertLesson(5, '10:00', [ill.email])
  await insertLesson(5, '10:30', [busy.email])
  const booked = await insertUserWithSession(db)
  await insertBooking(db, lesson.id, booked.id)
  await newMails()

  const { body } = await server.request(listSubstituteCandidates, {
    query: { courseDateIds: String(lesson.lessonId) },
    token,
  })
  const free = body.lessons[0]?.free.map(({ email }) => email) ?? []
  expect(free).toEqual(expect.arrayContaining([quick.email, slow.email]))
  expect(free).not.toContain(ill.email)

  const asked = await actAsPreviewed({
    kind: 'ask-substitutes',
    lessons: [lesson.lessonId],
    instructorEmails: [quick.email, slow.email, busy.email],
    until: until(3),
  })
  expect(asked).toMatchObject({
    status: 'Ok',
    consequences: { mails: 2 },
    result: { notFree: [busy.email], withoutCandidate: [] },
  })
  const mails = await newMails()
  expect(recipientsOf(mails, 'substitute-request')).toEqual([quick.email, slow.email].sort())
  expect(recipientsOf(mails)).toEqual([])
  const [toQuick, toSlow] = [linkOf(mails, quick.email), linkOf(mails, slow.email)]
  const shown = await list({ link: toSlow })
  expect(shown.items).toMatchObject([{ courseDateId: lesson.lessonId, state: 'open' }])
  expect(JSON.stringify(shown)).not.toMatch(/Spaet|Rasch/)
  expect(await list({ token: quick.token })).toMatchObject({ items: [{ state: 'open' }] })

  const [first, second] = await Promise.all([
    answer([lesson.lessonId], true, { token: quick.token }),
    answer([lesson.lessonId], true, { link: toSlow }),
  ])
  expect([first.status, second.status].sort()).toEqual(['Failed', 'Ok'])
  const winner = first.status === 'Ok' ? quick : slow
  const other = winner === quick ? slow : quick
  expect(await substituteOf(lesson.lessonId)).toBe(winner.email)
  const after = await newMails()
  const words = (email: string) =>
    JSON.stringify(after.filter(({ recipient }) => recipient === email).map(({ payload }) => payload))
  expect(after.filter(({ recipient }) => recipient === booked.email)).toHaveLength(1)
  expect(words(booked.email)).toContain(winner === quick ? 'Rasch' : 'Spaet')
  expect(words(other.email)).toContain('vergeben')
  expect(words(ill.email)).not.toBe('[]')
  const lost = await list(other === slow ? { link: toSlow } : { link: toQuick })
  expect(lost.items).toMatchObject([{ state: 'taken' }])
  expect(await answer([lesson.lessonId], true, other === slow ? { link: toSlow } : { link: toQuick })).toMatchObject({
    status: 'Failed',
    code: 'office.substitute.closed',
  })
  // The winner answers again, because the first response was lost.
  expect(await answer([lesson.lessonId], true, other === slow ? { link: toQuick } : { link: toSlow })).toMatchObject({
    status: 'Ok',
    items: [{ state: 'yours' }],
  })
  expect(await newMails()).toEqual([])
})

test('lessons that everybody declined, or nobody answered in time, are on Today until the desk acts', async () => {
  const [one, two] = [await insertInstructorWithSession(db), await insertInstructor(db)]
  const [declined, expired] = [await insertLesson(6, '07:00'), await insertLesson(6, '09:00')]
  const ask = (lessonId: number) =>
    act({
      kind: 'ask-substitutes',
      lessons: [lessonId],
      instructorEmails: [one.email, two.email],
      until: until(),
    })
  await ask(declined.lessonId)
  await ask(expired.lessonId)
  const mails = await newMails()
  expect(await today(declined.lessonId)).toBeUndefined()
  await answer([declined.lessonId], false, { token: one.token })
  expect(await today(declined.lessonId)).toBeUndefined()
  await answer([declined.lessonId], false, { link: linkOf(mails, two.email) })
  expect(await today(declined.lessonId)).toMatchObject({ asked: 2, declined: 2 })
  await db.execute(sql`
    update substitute_invitations set ends_at = localtimestamp - interval '1 minute'
    where id in (select invitation_id from substitute_offers where course_date_id = ${expired.lessonId})`)
  expect(await today(expired.lessonId)).toMatchObject({ asked: 2, declined: 0 })
  expect(await answer([expired.lessonId], true, { token: one.token })).toMatchObject({ status: 'Failed' })
  await act({ kind: 'change-lesson', courseDateId: expired.lessonId, instructorEmail: two.email, reason: 'Zusage' })
  expect(await today(expired.lessonId)).toBeUndefined()
  expect(await act({ kind: 'cancel-lesson', courseDateId: declined.lessonId })).toMatchObject({ status: 'Ok' })
  expect(await today(declined.lessonId)).toBeUndefined()
})

test('a yes needs the lesson as it was offered, and an asker who may still change it', async () => {
  const person = await insertInstructorWithSession(db)
  const [moved, withdrawn, orphaned, taken] = [
    await insertLesson(8, '07:00'),
    await insertLesson(8, '09:00'),
    await insertLesson(8, '11:00'),
    await insertLesson(8, '13:00'),
  ]
  const lessons = [moved, withdrawn, orphaned, taken].map(({ lessonId }) => lessonId)
  await act({ kind: 'ask-substitutes', lessons, instructorEmails: [person.email], until: until(3) })
  await act({ kind: 'change-lesson', courseDateId: moved.lessonId, date: dateFromNow(9), reason: 'Feiertag' })
  await newMails()
  expect(await act({ kind: 'withdraw-substitutes', lessons: [withdrawn.lessonId] })).toMatchObject({ status: 'Ok' })
  expect(recipientsOf(await newMails())).toEqual([person.email])
  const other = await insertLesson(8, '13:30', [person.email])
  expect(other.lessonId).toBeGreaterThan(0)
  const yes = (lessonId: number) => answer([lessonId], true, { token: person.token })
  expect(await yes(moved.lessonId)).toMatchObject({ code: 'office.substitute.closed' })
  expect(await yes(withdrawn.lessonId)).toMatchObject({ code: 'office.substitute.closed' })
  expect(await yes(taken.lessonId)).toMatchObject({ code: 'office.substitute.busy' })
  await db.execute(
    sql`update substitute_invitations set asked_by = ${person.id} where instructor_email = ${person.email}`,
  )
  expect(await yes(orphaned.lessonId)).toMatchObject({ code: 'office.substitute.closed' })
  expect(await substituteOf(orphaned.lessonId)).toBeNull()
})

test('an instructor whose account is locked is neither asked nor can accept by the link of an earlier request', async () => {
  const bookings = await openTestDesk(server, ['bookings', 'owner'])
  const person = await insertInstructorWithSession(db)
  const lesson = await insertLesson(10, '07:00')
  const ask = {
    kind: 'ask-substitutes' as const,
    lessons: [lesson.lessonId],
    instructorEmails: [person.email],
  }
  await act({ ...ask, until: until(3) })
  const link = linkOf(await newMails(), person.email)
  await bookings.act({ kind: 'lock-person', webUserId: person.id, reason: 'Ausgeschieden' })
  expect(await answer([lesson.lessonId], true, { link })).toMatchObject({ code: 'office.substitute.closed' })
  expect(await substituteOf(lesson.lessonId)).toBeNull()
  expect(await act({ ...ask, until: until(4) })).toMatchObject({ code: 'office.failed.nobodyFree' })
  await bookings.act({ kind: 'unlock-person', webUserId: person.id })
  expect(await answer([lesson.lessonId], true, { link })).toMatchObject({ status: 'Ok' })
})

/** Acts after which a lesson is no longer the one for which substitutes were asked. */
const OUTDATED: Record<string, (lesson: { id: number; lessonId: number }, other: string) => TestAct> = {
  verlegt: ({ lessonId }) => ({ kind: 'change-lesson', courseDateId: lessonId, date: dateFromNow(16), reason: 'Test' }),
  'fällt aus': ({ lessonId }) => ({ kind: 'cancel-lesson', courseDateId: lessonId }),
  'Kurs fällt aus': ({ id }) => ({ kind: 'cancel-course', courseId: id }),
  'hat sich erledigt': ({ id }) => ({
    kind: 'change-course',
    courseId: id,
    day: (new Date(`${dateFromNow(14)}T00:00Z`).getUTCDay() + 1) % 7,
    end: dateFromNow(30),
    reason: 'Test',
  }),
  vergeben: ({ lessonId }, other) => ({
    kind: 'change-lessons',
    lessons: [{ courseDateId: lessonId, instructorEmail: other }],
  }),
}
test.each(Object.entries(OUTDATED))(
  'who was asked hears once that it has ended: %s; later answers are told why, and an undo asks again',
  async (reason, actOf) => {
    const [person, other] = [await insertInstructorWithSession(db), await insertInstructor(db)]
    const lesson = await insertLesson(14, '07:00')
    await act({
      kind: 'ask-substitutes',
      lessons: [lesson.lessonId],
      instructorEmails: [person.email, other.email],
      until: until(3),
    })
    const link = linkOf(await newMails(), person.email)
    const change = actOf(lesson, other.email)
    const told = (mails: Awaited<ReturnType<typeof newMails>>, email: string) =>
      mails.filter(
        ({ recipient, kind, payload }) =>
          recipient === email && kind === 'notice' && JSON.stringify(payload).includes('keine Vertretung mehr'),
      )
    const inverse: Partial<Record<string, TestAct>> = {
      'cancel-lesson': { kind: 'restore-lesson', courseDateId: lesson.lessonId },
      'cancel-course': { kind: 'restore-course', courseId: lesson.id },
    }
    const back = inverse[change.kind]
    if (back) {
      const actId = randomUUID()
      expect(await act({ ...change, actId, undoable: true })).toMatchObject({ undoable: true })
      expect(await act({ ...back, undoes: actId })).toMatchObject({ status: 'Ok' })
      expect((await list({ token: person.token })).items).toMatchObject([{ state: 'open' }])
      expect(await newMails()).toEqual([])
    }
    expect(await actAsPreviewed(change)).toMatchObject({ status: 'Ok' })
    const mails = await newMails()
    const [notice, ...more] = told(mails, person.email)
    expect(JSON.stringify(notice?.payload ?? null)).toContain(', 07:00')
    expect(more).toEqual([])
    expect(told(mails, other.email)).toHaveLength(reason === 'vergeben' ? 0 : 1)
    for (const by of [{ link }, { token: person.token }])
      expect(await answer([lesson.lessonId], true, by)).toMatchObject({
        status: 'Failed',
        code: 'office.substitute.closed',
        message: expect.stringContaining(reason.replace('Kurs ', '')),
      })
    expect((await list({ link })).message).not.toBe('')
    expect(await newMails()).toEqual([])
  },
)

test('who was asked hears that it has ended when an import moves the lesson', async () => {
  const person = await insertInstructorWithSession(db)
  const importAt = async (time: string) => {
    const days = `${dateFromNow(14)},${dateFromNow(35)}`
    const folder = await createTestFolder({
      ...BASIC_FOLDER,
      'courses.csv': `${COURSE_HEADER}\nI-1,1,3,Yoga,${days},${time},21:00,10\n`,
    })
    const sink = { write: () => undefined }
    const options = { folder: folder.path }
    expect(await runImport(db, server.context.config, options, { stdout: sink, stderr: sink })).toBe(0)
    await folder.remove()
  }
  await importAt('06:00')
  const { id } = await db.one<{ id: number }>(sql`
    select d.id from course_dates d join courses c on c.id = d.course_id where c.number = 'I-1' order by d.held_at limit 1`)
  await act({ kind: 'ask-substitutes', lessons: [id], instructorEmails: [person.email], until: until(3) })
  await newMails()
  await importAt('07:00')
  expect(recipientsOf(await newMails())).toEqual([person.email])
  expect((await list({ token: person.token })).items).toEqual([])
})

test('requests are refused for past, cancelled and draft lessons, for a time that is over, and if nobody is free', async () => {
  const [person, busy] = [await insertInstructor(db), await insertInstructor(db)]
  const [lesson, past] = [await insertLesson(4, '06:00'), await insertLesson(-4, '06:00')]
  await insertLesson(4, '06:30', [busy.email])
  const ask = (fields: object = {}) =>
    act({
      kind: 'ask-substitutes',
      lessons: [lesson.lessonId],
      instructorEmails: [person.email],
      until: until(),
      ...fields,
    })
  const failures = {
    'office.failed.sendAtPast': { until: until(-1) },
    'office.failed.untilAfterLesson': { until: until(4) },
    'office.failed.lessonOver': { lessons: [past.lessonId] },
    'office.failed.unknownInstructor': { instructorEmails: ['nobody@demo.example'] },
    'office.failed.nobodyFree': { instructorEmails: [busy.email] },
    'office.unknown.lesson': { lessons: [999_999] },
  }
  for (const [code, fields] of Object.entries(failures))
    expect(await ask(fields)).toMatchObject({ status: 'Failed', code })
  expect(await act({ kind: 'withdraw-substitutes', lessons: [lesson.lessonId] })).toMatchObject({
    code: 'office.failed.notAsked',
  })
  await db.execute(
    sql`update seasons set is_draft = true where id = (select season_id from courses where id = ${lesson.id})`,
  )
  expect(await ask()).toMatchObject({ code: 'office.failed.draftLesson' })
})

test('requests end when the season is a draft again, and remain so when it is published', async () => {
  const [taught, person] = [await insertInstructorWithSession(db), await insertInstructorWithSession(db)]
  const { lessonId, seasonId } = await insertLesson(4, '06:00', [taught.email])
  const ask = {
    kind: 'ask-substitutes',
    lessons: [lessonId],
    instructorEmails: [person.email],
    until: until(),
  } satisfies TestAct
  expect(await act(ask)).toMatchObject({ status: 'Ok' })
  const states = async () => (await list({ token: person.token })).items.map(({ state }) => state)
  expect(await states()).toEqual(['open'])
  await newMails()
  expect(await act({ kind: 'unpublish-season', seasonId })).toMatchObject({ status: 'Ok' })
  expect(await states()).toEqual([])
  expect(recipientsOf(await newMails())).toEqual([person.email])
  expect(await answer([lessonId], true, { token: person.token })).toMatchObject({ status: 'Failed' })
  await act({ kind: 'publish-season', seasonId })
  expect(await states()).toEqual([])
})

test('requests remain open for lessons in another absence of the instructor when one is removed', async () => {
  const [ill, person] = [await insertInstructorWithSession(db), await insertInstructorWithSession(db)]
  const [first, second] = [await insertLesson(4, '06:00', [ill.email]), await insertLesson(9, '06:00', [ill.email])]
  const absent = async (from: number, to: number) => {
    const span = { from: dateFromNow(from), to: dateFromNow(to) }
    const { result } = await act({ kind: 'set-absence', instructorEmail: ill.email, ...span, lessons: [] })
    return Number(result.absenceId)
  }
  const shorter = await absent(0, 5)
  const longer = await absent(0, 10)
  await act({
    kind: 'ask-substitutes',
    lessons: [first.lessonId, second.lessonId],
    instructorEmails: [person.email],
    until: until(),
  })
  const open = async () =>
    (await list({ token: person.token })).items.flatMap(({ courseDateId, state }) =>
      state === 'open' ? courseDateId : [],
    )
  expect(await act({ kind: 'remove-absence', absenceId: shorter, lessons: [] })).toMatchObject({ status: 'Ok' })
  expect(await open()).toEqual([first.lessonId, second.lessonId])
  expect(await act({ kind: 'remove-absence', absenceId: longer, lessons: [] })).toMatchObject({ status: 'Ok' })
  expect(await open()).toEqual([])
})
