import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { ActKind } from '#contract/acts/acts.ts'
import { listRightHolderIds } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { createToken as randomToken } from '#server/platform/http/token.ts'
import {
  dateFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertDivision,
  insertInstructor,
  insertInstructorWithSession,
  insertRow,
  insertSeason,
  insertUserWithSession,
} from './factories.ts'
import {
  insertCertificate,
  insertCertifiedPlace,
  insertInvoice,
  insertOwed,
  insertPastCourse,
  insertPlace,
  insertProof,
} from './money-scene.ts'
import type { TestAct } from './office.ts'
import type { TestServer } from './server.ts'

const findFirstLesson = (db: Queryable, courseId: number) =>
  db.one<{ id: number }>(sql`select id from course_dates where course_id = ${courseId} order by held_at limit 1`)

/** Inserts a course for next week with participants, on which an action is performed. */
async function insertScene({ db }: TestServer) {
  const course = await insertCourse(db, { capacity: 2 })
  const [first, second, waiting, outside] = [
    await insertUserWithSession(db),
    await insertUserWithSession(db),
    await insertUserWithSession(db),
    await insertUserWithSession(db),
  ]
  for (const { id } of [first, second, waiting]) await insertBooking(db, course.id, id)
  const lesson = await findFirstLesson(db, course.id)
  return { course, first, second, waiting, outside, lesson }
}
type Scene = Awaited<ReturnType<typeof insertScene>>

type Sample = {
  act: TestAct
  /** actions to perform first */
  before?: readonly TestAct[]
  /** number of people who are notified by mail or letter and in the inbox */
  told: number
}

const COURSE_FIELDS = { number: 'NEU-1', name: 'Neu', startTime: '18:00', endTime: '19:00', participants: 5 } as const

const countOwners = async (db: Queryable): Promise<number> => (await listRightHolderIds(db, 'owner')).length
/** Number of owners other than the actor. */
const countOtherOwners = async (db: Queryable): Promise<number> => (await countOwners(db)) - 1

/** A valid sample of each action, with the people it concerns in a scene of its own. */
export const ACT_SAMPLES: Record<ActKind, (scene: Scene, server: TestServer) => Promise<Sample> | Sample> = {
  book: ({ course, outside }) => ({ act: { kind: 'book', courseId: course.id, webUserId: outside.id }, told: 1 }),
  'cancel-booking': ({ course, first }) => ({
    act: { kind: 'cancel-booking', courseId: course.id, webUserId: first.id, charge: 'none' },
    told: 2,
  }),
  'move-booking': async ({ course, first }, { db }) => {
    const to = await insertCourse(db, { startsOn: dateFromNow(8) })
    return {
      act: { kind: 'move-booking', fromCourseId: course.id, toCourseId: to.id, webUserId: first.id },
      told: 2,
    }
  },
  'create-person': () => ({ act: { kind: 'create-person', familyName: 'Neu', email: 'neu@demo.example' }, told: 1 }),
  'change-person': ({ first }) => ({ act: { kind: 'change-person', webUserId: first.id, city: 'Celle' }, told: 0 }),
  'invite-person': () => ({
    act: { kind: 'invite-person', email: 'eingeladen@demo.example', language: 'en' },
    told: 1,
  }),
  'lock-person': ({ first }) => ({ act: { kind: 'lock-person', webUserId: first.id }, told: 0 }),
  'unlock-person': ({ first }) => ({
    before: [{ kind: 'lock-person', webUserId: first.id }],
    act: { kind: 'unlock-person', webUserId: first.id },
    told: 0,
  }),
  'note-call': ({ first }) => ({
    act: { kind: 'note-call', webUserId: first.id, text: 'Fragt nach einem Platz im Herbst' },
    told: 0,
  }),
  'verify-person': ({ first }) => ({ act: { kind: 'verify-person', webUserId: first.id }, told: 0 }),
  'merge-people': ({ outside, first }) => ({
    act: { kind: 'merge-people', webUserId: outside.id, intoWebUserId: first.id },
    told: 2,
  }),
  'record-attendance': async (_scene, { db }) => {
    const course = await insertPastCourse(db)
    const [courseDateId = 0] = course.lessonIds
    const person = await insertUserWithSession(db)
    await insertBooking(db, course.id, person.id)
    return { act: { kind: 'record-attendance', courseDateId, present: [person.id], absent: [] }, told: 0 }
  },
  'remind-attendance': async (_scene, { db }) => {
    const { email } = await insertInstructorWithSession(db)
    const course = await insertCourse(db, { instructorEmails: [email], dates: [`${dateFromNow(-2)} 18:00`] })
    const lesson = await findFirstLesson(db, course.id)
    return { act: { kind: 'remind-attendance', courseDateIds: [lesson.id] }, told: 1 }
  },
  'send-message': ({ course }) => ({
    act: { kind: 'send-message', to: 'course', id: course.id, mail: true, title: 'Matten', text: 'Bitte mitbringen' },
    told: 2,
  }),
  'save-message': () => ({
    act: { kind: 'save-message', state: 'template', mail: true, title: 'Matten', text: 'Bitte mitbringen' },
    told: 0,
  }),
  'remove-message': async (_scene, { db }) => {
    const { id } = await insertRow<{ id: number }>(db, 'desk_messages', { state: 'draft', fields: '{}' })
    return { act: { kind: 'remove-message', messageId: id }, told: 0 }
  },
  'save-eligible': () => ({ act: { kind: 'save-eligible', rows: [{ personnelNumber: '4711' }] }, told: 0 }),
  'create-course': async (_scene, { db }) => {
    const [seasonId, courseCategoryId] = [(await insertSeason(db)).id, (await insertCategory(db)).id]
    return {
      act: { kind: 'create-course', ...COURSE_FIELDS, seasonId, courseCategoryId, start: dateFromNow(20) },
      told: 0,
    }
  },
  'change-course': ({ course }) => ({ act: { kind: 'change-course', courseId: course.id, participants: 3 }, told: 1 }),
  'confirm-course': ({ course }) => ({ act: { kind: 'confirm-course', courseId: course.id }, told: 2 }),
  'unconfirm-course': ({ course }) => ({
    before: [{ kind: 'confirm-course', courseId: course.id }],
    act: { kind: 'unconfirm-course', courseId: course.id },
    told: 2,
  }),
  'cancel-course': ({ course }) => ({ act: { kind: 'cancel-course', courseId: course.id }, told: 3 }),
  'restore-course': ({ course }) => ({
    before: [{ kind: 'cancel-course', courseId: course.id }],
    act: { kind: 'restore-course', courseId: course.id },
    told: 3,
  }),
  'add-lesson': ({ course }) => ({
    // A reason is given, because the day may be a holiday.
    act: {
      kind: 'add-lesson',
      courseId: course.id,
      date: dateFromNow(10),
      reason: 'Ersatz',
      startTime: '07:00',
      endTime: '08:00',
    },
    told: 2,
  }),
  'cancel-lesson': ({ lesson }) => ({ act: { kind: 'cancel-lesson', courseDateId: lesson.id }, told: 2 }),
  'restore-lesson': ({ lesson }) => ({
    before: [{ kind: 'cancel-lesson', courseDateId: lesson.id }],
    act: { kind: 'restore-lesson', courseDateId: lesson.id },
    told: 2,
  }),
  'change-lesson': ({ lesson }) => ({
    act: { kind: 'change-lesson', courseDateId: lesson.id, venue: 'Turnhalle' },
    told: 3,
  }),
  'change-lessons': async ({ course, lesson }, { db }) => {
    const other = await db.one<{ id: number }>(sql`
      select id from course_dates where course_id = ${course.id} and id <> ${lesson.id} order by held_at limit 1`)
    const lessons = [
      { courseDateId: lesson.id, venue: 'Turnhalle' },
      { courseDateId: other.id, cancel: true },
    ] as const
    return { act: { kind: 'change-lessons', lessons: [...lessons] }, told: 3 }
  },
  'set-absence': async (_scene, { db }) => {
    const ill = await insertInstructorWithSession(db)
    const course = await insertCourse(db, { instructorEmails: [ill.email] })
    await insertBooking(db, course.id, (await insertUserWithSession(db)).id)
    const lesson = await findFirstLesson(db, course.id)
    const lessons = [{ courseDateId: lesson.id, cancel: true as const }]
    const span = { from: dateFromNow(0), to: dateFromNow(60) }
    return { act: { kind: 'set-absence', instructorEmail: ill.email, ...span, lessons }, told: 2 }
  },
  'remove-absence': async (_scene, { db }) => {
    const { email } = await insertInstructorWithSession(db)
    const { id } = await insertRow<{ id: number }>(db, 'absences', {
      instructorEmail: email,
      startsOn: dateFromNow(0),
      endsOn: dateFromNow(9),
    })
    return { act: { kind: 'remove-absence', absenceId: id }, told: 1 }
  },
  'ask-substitutes': async ({ lesson }, { db }) => {
    const [first, second] = [await insertInstructorWithSession(db), await insertInstructorWithSession(db)]
    const until = `${dateFromNow(1)}T12:00`
    return {
      act: { kind: 'ask-substitutes', lessons: [lesson.id], instructorEmails: [first.email, second.email], until },
      told: 2,
    }
  },
  'withdraw-substitutes': async ({ lesson }, { db }) => {
    const { email } = await insertInstructorWithSession(db)
    const { id } = await insertRow<{ id: number }>(db, 'substitute_invitations', {
      instructorEmail: email,
      endsAt: `${dateFromNow(1)} 12:00:00`,
    })
    await db.execute(sql`
      insert into substitute_offers (invitation_id, course_date_id, held_at)
      select ${id}, id, held_at from course_dates where id = ${lesson.id}`)
    return { act: { kind: 'withdraw-substitutes', lessons: [lesson.id] }, told: 1 }
  },
  'set-closure': async ({ course, lesson }, { db }) => {
    const room = await insertRow<{ id: number }>(db, 'rooms', { name: `Halle ${course.id}`, site: '' })
    await db.execute(sql`update course_dates set room_id = ${room.id} where id = ${lesson.id}`)
    const lessons = [{ courseDateId: lesson.id, cancel: true as const }]
    const span = { from: dateFromNow(0), to: dateFromNow(60) }
    return { act: { kind: 'set-closure', roomIds: [room.id], ...span, lessons }, told: 2 }
  },
  'remove-closure': async (_scene, { db }) => {
    const span = { startsOn: dateFromNow(0), endsOn: dateFromNow(9) }
    const { id } = await insertRow<{ id: number }>(db, 'closures', {
      roomIds: [],
      site: `Werk ${randomUUID()}`,
      ...span,
    })
    return { act: { kind: 'remove-closure', closureId: id }, told: 0 }
  },
  'change-courses': async ({ course }, { db }) => {
    const other = await insertCourse(db)
    return { act: { kind: 'change-courses', courseIds: [course.id, other.id], confirmed: true }, told: 2 }
  },
  'create-season': () => ({ act: { kind: 'create-season', name: 'Herbst' }, told: 0 }),
  'change-season': ({ course }) => ({
    act: { kind: 'change-season', seasonId: course.seasonId, name: 'Herbst' },
    told: 0,
  }),
  'copy-season': ({ course }) => ({
    act: {
      kind: 'copy-season',
      seasonId: course.seasonId,
      name: 'Nächste',
      shortcut: 'N1',
      startsAt: dateFromNow(200),
      endsAt: dateFromNow(300),
      bookableFrom: `${dateFromNow(150)}T08:00`,
      viewableFrom: `${dateFromNow(140)}T08:00`,
    },
    told: 0,
  }),
  'publish-season': async (_scene, { db }) => ({
    act: { kind: 'publish-season', seasonId: (await insertSeason(db, { isDraft: true })).id },
    told: 0,
  }),
  'publish-booking-order': ({ course }) => ({
    act: { kind: 'publish-booking-order', seasonId: course.seasonId },
    told: 0,
  }),
  'unpublish-season': async (_scene, { db }) => ({
    act: { kind: 'unpublish-season', seasonId: (await insertSeason(db)).id },
    told: 0,
  }),
  'import-programme': async (_scene, { db }) => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('name\nHalle 8\n'), 'rooms.csv')
    zip.end()
    const { id } = await db.one<{ id: string }>(sql`
      insert into office_files ("right", name, media_type, content)
      values ('programme', 'programm.zip', 'application/zip', ${await buffer(zip.outputStream)}) returning id`)
    return { act: { kind: 'import-programme', fileId: id }, told: 0 }
  },
  'save-content': () => ({ act: { kind: 'save-content', contentType: 'Flyer', text1: 'Neu' }, told: 0 }),
  'save-album': () => ({ act: { kind: 'save-album', name: 'Fest' }, told: 0 }),
  'save-photo': async (_scene, { db }) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into albums (id, name) select coalesce(max(id), 0) + 1, 'Fest' from albums returning id`)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    const file = await db.one<{ id: string }>(sql`
      insert into office_files ("right", name, media_type, content)
      values ('content', 'fest.svg', 'image/svg+xml', ${Buffer.from(svg)}) returning id`)
    return { act: { kind: 'save-photo', albumId: id, fileId: file.id }, told: 0 }
  },
  'save-page': () => ({ act: { kind: 'save-page', page: 'faq', text: '<p>Neu</p>' }, told: 0 }),
  'save-room': () => ({ act: { kind: 'save-room', name: 'Halle 9' }, told: 0 }),
  'link-instructors': async (_, { db }) => {
    // A draft notifies neither participants nor instructors, only the owners that somebody gets to see names.
    const familyName = `Ohne ${randomUUID()}`
    const name = `Kim ${familyName}`
    await insertCourse(db, { instructor: name, seasonId: (await insertSeason(db, { isDraft: true })).id })
    const email = `${randomUUID()}@demo.example`
    return {
      act: { kind: 'link-instructors', instructors: [{ name, email, familyName, givenName: 'Kim' }] },
      told: await countOtherOwners(db),
    }
  },
  'save-template': () => ({ act: { kind: 'save-template', templateName: 'Rücken', fee: 40 }, told: 0 }),
  'create-rooms': () => ({ act: { kind: 'create-rooms', rooms: [{ name: 'Halle 10' }] }, told: 0 }),
  'save-category': () => ({ act: { kind: 'save-category', name: 'Neu' }, told: 0 }),
  'save-division': async (_scene, { db }) => ({
    act: { kind: 'save-division', id: (await insertDivision(db)).id, onlineOnly: true },
    told: 0,
  }),
  'save-instructor': async (_scene, { db }) => ({
    act: { kind: 'save-instructor', email: (await insertInstructor(db)).email, familyName: 'Neu' },
    told: 0,
  }),
  remove: async (_scene, { db }) => ({
    act: { kind: 'remove', what: 'course', id: (await insertCourse(db)).id },
    told: 0,
  }),
  'create-token': async (_scene, { db }) => ({
    act: { kind: 'create-token', name: 'Payroll', token: randomToken(), scopes: ['lists'], expiresOn: dateFromNow(30) },
    told: await countOwners(db),
  }),
  'revoke-token': async (_scene, { db }) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into service_tokens (name, token_hash, scopes, expires_at)
      values ('Old', ${Buffer.from(randomToken())}, '{lists}', clock_timestamp() + interval '1 day') returning id`)
    return { act: { kind: 'revoke-token', tokenId: id }, told: 0 }
  },
  'save-webhook': async (_scene, { db }) => ({
    act: {
      kind: 'save-webhook',
      name: 'Rooms',
      url: 'https://rooms.example/hook',
      secret: `whsec_${randomBytes(32).toString('base64')}`,
      kinds: ['booking.created'],
    },
    told: await countOwners(db),
  }),
  'remove-webhook': async (_scene, { db }) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into webhooks (name, url, secret, kinds) values ('Old', 'https://old.example', 'x', '{booking.created}') returning id`)
    return { act: { kind: 'remove-webhook', webhookId: id }, told: 0 }
  },
  'grant-right': async ({ outside }, { db }) => ({
    act: { kind: 'grant-right', email: outside.email, right: 'content' },
    told: 1 + (await countOtherOwners(db)),
  }),
  'revoke-right': async ({ outside }, { db }) => ({
    before: [{ kind: 'grant-right', email: outside.email, right: 'content' }],
    act: { kind: 'revoke-right', email: outside.email, right: 'content' },
    told: 1 + (await countOtherOwners(db)),
  }),
  'decide-proof': async ({ first }, { db }) => ({
    act: { kind: 'decide-proof', proofId: (await insertProof(db, first.id)).id, decision: 'accepted' },
    told: 1,
  }),
  'accept-payer': async (_scene, { db }) => {
    const person = await insertUserWithSession(db, { billingType: 2, personnelNumber: '00815' })
    return { act: { kind: 'accept-payer', webUserId: person.id, reason: 'Mündlich' }, told: 0 }
  },
  'exclude-lesson': async (_scene, { db }) => ({
    act: { kind: 'exclude-lesson', courseDateId: (await insertPastCourse(db)).lessonIds[0] ?? 0 },
    told: 0,
  }),
  'include-lesson': async (_scene, { db }) => ({
    act: { kind: 'include-lesson', courseDateId: (await insertPastCourse(db)).lessonIds[0] ?? 0 },
    told: 0,
  }),
  'settle-courses': async (_scene, { db }) => {
    const course = await insertPastCourse(db)
    for (const present of [3, 0]) await insertPlace(db, course, present)
    return { act: { kind: 'settle-courses', courseIds: [course.id] }, told: 2 }
  },
  'set-closing': () => ({ act: { kind: 'set-closing', isAutomatic: true }, told: 0 }),
  'close-season': async (_scene, { db }) => ({
    act: { kind: 'close-season', seasonId: (await insertSeason(db)).id },
    told: 0,
  }),
  'reprice-course': async (_scene, { db }) => {
    const course = await insertPastCourse(db)
    await insertPlace(db, course, 0)
    return { act: { kind: 'reprice-course', courseId: course.id, fee: 30 }, told: 1 }
  },
  'decide-attendance': async (_scene, { db }) => {
    const course = await insertPastCourse(db)
    const person = await insertPlace(db, course, 0, { bookedAt: new Date(), promisedLessons: 0 })
    return {
      act: { kind: 'decide-attendance', courseId: course.id, webUserId: person.id, regular: true, reason: 'Kam immer' },
      told: 0,
    }
  },
  'create-batch': async (_scene, { db }) => {
    await insertOwed(db, { personnelNumber: '00814', knownAt: new Date() })
    return { act: { kind: 'create-batch', batchKind: 'payroll' }, told: 0 }
  },
  'close-batch': async (_scene, { db }) => {
    await insertOwed(db, { personnelNumber: '00815', knownAt: new Date() })
    return {
      act: { kind: 'close-batch', batchId: (await insertRow<{ id: number }>(db, 'batches', { kind: 'payroll' })).id },
      told: 0,
    }
  },
  'answer-batch': async (_scene, { db }) => {
    const { batchId } = await insertInvoice(db)
    return { act: { kind: 'answer-batch', batchId, all: true }, told: 0 }
  },
  'mark-paid': async (_scene, { db }) => ({
    act: { kind: 'mark-paid', invoiceNumber: (await insertInvoice(db)).number, paidOn: dateFromNow(0), amount: 10 },
    told: 0,
  }),
  'cancel-invoice': async (_scene, { db }) => ({
    act: { kind: 'cancel-invoice', invoiceNumber: (await insertInvoice(db)).number },
    told: 1,
  }),
  'remind-invoices': async (_scene, { db }) => ({
    act: { kind: 'remind-invoices', invoiceNumbers: [(await insertInvoice(db)).number] },
    told: 1,
  }),
  'issue-certificates': async (_scene, { db }) => ({
    act: { kind: 'issue-certificates', courseId: (await insertCertifiedPlace(db)).course.id },
    told: 1,
  }),
  'revoke-certificate': async (_scene, { db }) => {
    const { member } = await insertCertifiedPlace(db)
    return { act: { kind: 'revoke-certificate', code: await insertCertificate(db, member), reason: 'Irrtum' }, told: 1 }
  },
  'add-entry': ({ first }) => ({
    act: { kind: 'add-entry', webUserId: first.id, entryKind: 'correction', amount: 5, reason: 'Matte verloren' },
    told: 1,
  }),
}

/** Prepares an action of a kind in a new scene. */
export async function prepareAct(
  server: TestServer,
  kind: ActKind,
  act: (body: TestAct) => Promise<unknown>,
): Promise<Sample> {
  const sample = await ACT_SAMPLES[kind](await insertScene(server), server)
  for (const body of sample.before ?? []) await act(body)
  return sample
}
