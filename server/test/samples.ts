import { randomUUID } from 'node:crypto'
import type { Endpoint } from '#contract/endpoint.ts'
import { DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { endpoints } from '#contract/endpoints.ts'
import { RIGHTS } from '#contract/values.ts'
import { publishOrder } from '#server/features/bookings/booking-order-service.ts'
import { insertAuditLogEntry } from '#server/office/frame/audit-log-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import { renderSpreadsheet } from '#server/platform/pdf/spreadsheet.ts'
import { createAuthenticator } from './authenticator.ts'
import {
  dateFromNow,
  insertBooking,
  insertCategory,
  insertCourse,
  insertFeed,
  insertInboxItem,
  insertInstructorWithSession,
  insertRow,
  insertSeason,
  insertUserWithSession,
  insertWebUser,
} from './factories.ts'

import { insertCertificate, insertInvoice, insertProof } from './money-scene.ts'

export type Sample = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: Record<string, unknown>
  file?: File
  form?: Record<string, string>
}

const NEW_SUBSCRIPTION = {
  endpoint: 'https://push.example.org/send/1',
  expirationTime: null,
  keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
}

/** Small portal with a valid call for each endpoint, made by a person who has permission. */
export type World = {
  courseId: number
  samples: Record<string, Sample>
  /** user who has booked the course */
  participant: { id: number; token: string }
  /** instructor of the course */
  teacher: { id: number; token: string }
  /** instructor of another course */
  otherTeacher: { id: number; email: string; token: string }
  /** member of the department with all permissions */
  officer: { id: number; token: string }
  /** the one of these people who may call an endpoint that requires a session */
  callerOf(endpoint: Endpoint): { id: number; token: string }
}

type Scene = Awaited<ReturnType<typeof insertScene>>

/** Inserts the people, and one row of each kind that the samples name. */
async function insertScene(db: Queryable) {
  const [teacher, otherTeacher] = [await insertInstructorWithSession(db), await insertInstructorWithSession(db)]
  const { id: categoryId } = await insertCategory(db)
  const course = await insertCourse(db, {
    categoryId,
    instructorEmails: [teacher.email],
    startsOn: dateFromNow(-1),
  })
  await insertCourse(db, { instructorEmails: [otherTeacher.email] })
  const participant = await insertUserWithSession(db)
  await insertBooking(db, course.id, participant.id)
  const { id: bookingId } = await db.one<{ id: number }>(
    sql`select id from bookings where web_user_id = ${participant.id}`,
  )
  const officer = await insertUserWithSession(db)
  await db.execute(sql`
    insert into office_rights (web_user_id, "right") select ${officer.id}, unnest(${[...RIGHTS]}::text[])`)
  await insertWebUser(db, { email: 'new@demo.example', confirmedAt: null })
  await db.execute(sql`insert into albums (id, name) values (1, 'Sommerfest')`)
  await insertInboxItem(db, { webUserId: teacher.id, title: 'Hallo', text: 'Hallo' })
  const date = await db.one<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at limit 1`,
  )
  const { heldAt } = await db.one<{ heldAt: string }>(
    sql`select max(held_at)::text as "heldAt" from course_dates where course_id = ${course.id}`,
  )

  const letter = await db.one<{ id: number }>(sql`
    insert into letters (web_user_id, language, kind, payload)
    values (${participant.id}, 'de', 'account-deleted', '{"isBillingKept": false}') returning id`)

  await insertRow(db, 'desk_messages', {
    state: 'template',
    fields: JSON.stringify({ title: 'Matten', title2: 'Mats', text: 'Bitte mitbringen', text2: '', mail: true }),
  })
  const draft = await insertSeason(db, { isDraft: true })
  await insertCourse(db, { seasonId: draft.id, categoryId, startsOn: dateFromNow(-1) })
  const sentMessage = await insertAuditLogEntry(
    db,
    { kind: 'send-message', actorId: officer.id, objects: {}, before: {}, after: {}, counts: { told: 1 }, rules: [] },
    'Matten',
    { people: [participant.id], courses: [] },
  )
  const proof = await insertProof(db, participant.id)
  const invoice = await insertInvoice(db)
  const ownInvoice = await insertInvoice(db)
  await db.execute(sql`update ledger_accounts set web_user_id = ${teacher.id} where id = ${ownInvoice.accountId}`)
  const batch = await insertRow<{ id: number }>(db, 'batches', {
    kind: 'payroll',
    closedAt: new Date(),
    sha256: Buffer.alloc(32),
  })
  await insertRow(db, 'batch_files', { batchId: batch.id, format: 'csv', content: Buffer.from('a') })
  const webhook = await db.one<{ id: number }>(sql`
    insert into webhooks (name, url, secret, kinds) values ('Rooms', 'https://rooms.example', 'x', '{}') returning id`)
  return {
    teacher,
    otherTeacher,
    officer,
    participant,
    course,
    bookingId,
    courseDateId: date.id,
    draftSeasonId: draft.id,
    lastLessonAt: toDateTimeValue(heldAt),
    letterId: letter.id,
    sentMessage,
    proofId: proof.id,
    invoiceNumber: invoice.number,
    ownInvoiceNumber: ownInvoice.number,
    batchId: batch.id,
    webhookId: webhook.id,
  }
}

const PERSON = {
  email: 'someone@demo.example',
  password: 'Sentinel-Pass-77',
  confirmPassword: 'Sentinel-Pass-77',
  formOfAddress: 'Frau',
  givenName: 'Erika',
  familyName: 'Muster',
  employeeStatus: 2,
  billingType: 3,
  street: 'Weg 1',
  zip: '30159',
  city: 'Hannover',
  yearOfBirth: 1980,
}

const createAccountSamples = (): Record<string, Sample> => ({
  login: { body: { userName: 'someone@demo.example', password: 'Sentinel-Pass-77', keepSession: false } },
  checkSession: { query: { sessionToken: 'unknown' } },
  endSession: { params: { id: 999_999 } },
  finishCompanyLogin: { body: {} },
  startPasskey: { body: {} },
  addPasskey: { body: createAuthenticator().create({ challenge: 'unknown' }) },
  removePasskey: { params: { id: 'unknown' }, body: {} },
  startPasskeyLogin: { body: {} },
  showPasskey: { body: createAuthenticator().get({ challenge: 'unknown' }) },
  changePassword: { body: { password: 'weak', confirmPassword: 'weak' } },
  resetPassword: { body: { userName: 'someone@demo.example' } },
  checkEmailPassword: { body: { email: PERSON.email, password: PERSON.password, confirmPassword: PERSON.password } },
  register: { body: PERSON },
  confirmAccount: { body: { token: 'unknown' } },
  describeLink: { body: { token: 'unknown' } },
  undoChange: { body: { token: 'unknown' } },
  resendEmail: { params: { userName: 'new@demo.example' } },
  editWebUser: { body: PERSON },
  deleteAccount: { body: { password: 'Sentinel-Pass-77' } },
  giveConsent: { body: { kind: 'attendance', version: '1' } },
  endConsent: { params: { kind: 'attendance' } },
})

const createCourseSamples = ({ course, courseDateId, lastLessonAt, participant }: Scene): Record<string, Sample> => ({
  getCourse: { params: { id: course.id } },
  getOwnRequest: { params: { id: course.id } },
  getWaitingOdds: { params: { id: course.id } },
  bookCourse: { body: { id: course.id } },
  announceAbsence: { body: { id: course.id, at: lastLessonAt, isAbsent: true } },
  listLessonPlaces: {},
  changeLessonPlace: { body: { id: course.id, at: lastLessonAt, isTaken: false } },
  cancelCourse: { body: { id: course.id } },
  getCourseDates: { params: { id: course.id } },
  changePresence: { body: { changeState: 'added', courseDateId: courseDateId, webUserId: participant.id } },
  noteDoorGuest: {
    body: { changeState: 'added', guestId: randomUUID(), courseDateId: courseDateId, name: 'Jo Gast' },
  },
  completeParticipation: { body: { courseId: course.id, isCompleted: false } },
  getParticipantList: { params: { id: course.id } },
  getCourseCalendar: { params: { id: course.id } },
})

const createReminderSamples = async (
  db: Queryable,
  { participant, course }: Scene,
): Promise<Record<string, Sample>> => ({
  readFeed: { params: { file: `${await insertFeed(db, participant.id)}.ics` } },
  followThing: { body: { kind: 'course', id: course.id } },
  unfollowThing: { body: { kind: 'season', id: course.seasonId } },
  subscribePush: { body: NEW_SUBSCRIPTION },
  unsubscribePush: { body: { endpoint: NEW_SUBSCRIPTION.endpoint } },
  changeReminders: { body: DEFAULT_REMINDERS },
})

const createMoneySamples = async (
  db: Queryable,
  { teacher, course, batchId, invoiceNumber, ownInvoiceNumber, proofId }: Scene,
): Promise<Record<string, Sample>> => ({
  addProof: {
    file: new File(['%PDF-1.4'], 'proof.pdf'),
    form: { kind: 'sick', from: '2026-11-02', to: '2026-11-20' },
  },
  withdrawConsent: { params: { id: (await insertProof(db, teacher.id, { kind: 'sick' })).id } },
  deleteProof: { params: { id: (await insertProof(db, teacher.id)).id } },
  getSettlement: { params: { id: course.id } },
  saveIban: { body: { iban: 'DE75512108001245126199' } },
  getReport: { query: { seasonId: String(course.seasonId) } },
  listOddsOutcomes: { query: { seasonId: String(course.seasonId) } },
  getBatch: { params: { id: batchId } },
  getBatchFile: { params: { id: batchId } },
  getOwnInvoice: { params: { file: `${ownInvoiceNumber}.pdf` } },
  getInvoicePdf: { params: { file: `${invoiceNumber}.pdf` } },
  getProofFile: { params: { id: proofId } },
})

const createContentSamples = async (
  db: Queryable,
  { course, participant, bookingId }: Scene,
): Promise<Record<string, Sample>> => ({
  getInboxFile: { params: { id: 999_999 } },
  getCertificate: { params: { code: await insertCertificate(db, { id: participant.id, bookingId }) } },
  listPhotos: { params: { albumId: 1 } },
  readPublicCalendar: { params: { file: `course-${course.id}.ics` } },
  readCoursePicture: { params: { file: `${course.id}.png` } },
})

async function createSubstituteSamples(db: Queryable, scene: Scene): Promise<Record<string, Sample>> {
  const { courseDateId, otherTeacher } = scene
  const token = createToken()
  await db.execute(sql`
    with invitation as (
      insert into substitute_invitations (instructor_email, ends_at)
      values (${otherTeacher.email}, localtimestamp + interval '1 day') returning id
    ), link as (
      insert into substitute_links (token_hash, invitation_id) select ${hashToken(token)}::bytea, id from invitation
    )
    insert into substitute_offers (invitation_id, course_date_id, held_at)
    select i.id, d.id, d.held_at from invitation i, course_dates d where d.id = ${courseDateId}`)
  return {
    listSubstituteRequests: { body: { token } },
    answerSubstituteRequest: { body: { token, courseDateIds: [courseDateId], accept: false } },
  }
}

const createOfficeSamples = async ({
  course,
  courseDateId,
  teacher,
  participant,
  bookingId,
  letterId,
  sentMessage,
  webhookId,
  draftSeasonId,
}: Scene): Promise<Record<string, Sample>> => {
  const workbook = await renderSpreadsheet([{ name: 'HR', rows: [['personnelNumber'], ['00123']] }])
  return {
    listAbsenceLessons: { query: { instructorEmail: teacher.email, from: dateFromNow(0), to: dateFromNow(7) } },
    listClosureLessons: { query: { site: 'Werk Nord', from: dateFromNow(0), to: dateFromNow(7) } },
    listSubstituteCandidates: { query: { courseDateIds: String(courseDateId) } },
    listDeliveries: { params: { id: webhookId } },
    getOfficeBooking: { params: { id: bookingId } },
    getLessonAttendance: { params: { id: courseDateId } },
    getOfficeCourse: { params: { id: course.id } },
    rehearseOpening: { body: { seasonId: draftSeasonId, demandSeasonId: course.seasonId } },
    listSeasonChecks: { query: { seasonId: String(course.seasonId) } },
    listFree: { query: { from: dateFromNow(0), to: dateFromNow(9), startTime: '18:00', endTime: '19:00' } },
    getOfficePerson: { params: { id: participant.id } },
    listTimeline: { params: { id: participant.id } },
    getOfficePersonData: { params: { id: participant.id } },
    getLetter: { params: { id: letterId } },
    listMessageDeliveries: { params: { id: sentMessage } },
    getOfficeList: { params: { file: 'bookings.csv' } },
    readOfficeTable: { file: new File([new Uint8Array(workbook)], 'hr.xlsx') },
    writeOfficeTable: { body: { name: 'Kurse', rows: [['name'], ['Yoga']] } },
    performAct: {
      body: { actId: randomUUID(), kind: 'book', courseId: course.id, webUserId: participant.id, preview: true },
    },
    uploadOfficeFile: { file: new File(['%PDF-1.7'], 'plan.pdf') },
  }
}

/** A season of its own, because the order of the scene's season is published by an act. */
async function createOrderSamples(db: Queryable, { participant }: Scene): Promise<Record<string, Sample>> {
  const { id: seasonId } = await insertSeason(db)
  await insertBooking(db, (await insertCourse(db, { seasonId })).id, participant.id)
  await publishOrder(db, seasonId)
  return { getBookingOrder: { params: { seasonId } }, getBookingOrderHashes: { params: { seasonId } } }
}

/** Creates the portal. @throws Error naming an endpoint without a sample */
export async function createWorld(db: Queryable): Promise<World> {
  const scene = await insertScene(db)
  const { course, participant, teacher, otherTeacher, officer } = scene
  const samples: Record<string, Sample> = {
    ...createAccountSamples(),
    ...createCourseSamples(scene),
    ...(await createOrderSamples(db, scene)),
    ...(await createReminderSamples(db, scene)),
    ...(await createMoneySamples(db, scene)),
    ...(await createContentSamples(db, scene)),
    ...(await createSubstituteSamples(db, scene)),
    ...(await createOfficeSamples(scene)),
    reportClientError: { body: { message: 'broken', stack: '', route: '/courses', release: '1.2.0' } },
  }
  const isIncomplete = ([name, endpoint]: [string, Endpoint]) =>
    !(name in samples) && Boolean(endpoint.params || endpoint.body || endpoint.takesFile)
  const incomplete = Object.entries(endpoints).filter(isIncomplete)
  if (incomplete.length > 0) throw new Error(`no sample call for ${incomplete.map(([name]) => name).join(', ')}`)
  const callerOf = ({ access }: Endpoint) => (access === 'office' ? officer : teacher)
  return { courseId: course.id, samples, participant, teacher, otherTeacher, officer, callerOf }
}
