import { createHash, randomBytes } from 'node:crypto'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { hashOfLines } from '#server/features/money/settlement-service.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertRow,
  insertTick,
  insertUserWithSession,
} from './factories.ts'

type Values = Record<string, unknown>

/**
 * Inserts a course with `count` weekly lessons, the last one yesterday, and a completed attendance list. Keys: columns
 * in camelCase.
 */
export async function insertPastCourse(db: Queryable, count = 3, values: Values = {}) {
  const dates = Array.from({ length: count }, (_, index) => `${dateFromNow(-1 - 7 * (count - 1 - index))} 18:00`)
  const course = await insertCourse(db, {
    feeCents: 4500,
    energyFeeCents: 0,
    isFreeWithAttendance: true,
    isParticipatingComplete: true,
    ...values,
    dates,
  })
  const lessons = await db.query<{ id: number }>(
    sql`select id from course_dates where course_id = ${course.id} order by held_at`,
  )
  return { ...course, lessonIds: lessons.map(({ id }) => id) }
}
type PastCourse = Awaited<ReturnType<typeof insertPastCourse>>

/**
 * Inserts a place that was booked before the first lesson at the employee price, with attendance at the first `present`
 * lessons.
 */
export async function insertPlace(
  db: Queryable,
  course: PastCourse,
  present: number,
  { person = {}, ...values }: Values & { person?: Values } = {},
) {
  const user = await insertUserWithSession(db, { street: 'Weg 1', zip: '38440', city: 'Wolfsburg', ...person })
  const { feeCents } = await db.one<{ feeCents: number }>(
    sql`select fee_cents as "feeCents" from courses where id = ${course.id}`,
  )
  const booking = await insertBooking(db, course.id, user.id, {
    priceCents: feeCents,
    bookedAt: daysFromNow(-200),
    promisedLessons: course.lessonIds.length,
    ...values,
  })
  for (const [index, courseDateId] of course.lessonIds.entries())
    await insertTick(db, { courseDateId, webUserId: user.id, isPresent: index < present, recordedBy: null })
  return { ...user, bookingId: booking.id }
}

/**
 * Inserts a settled course with 10 lessons that health insurers recognize, and one insured member who attended
 * `present` of them.
 */
export async function insertCertifiedPlace(db: Queryable, present = 8, person: Values = {}) {
  const course = await insertPastCourse(db, 10, { centralTestInstitute: 'KU-BE-4711', instructor: 'Ines Brandt' })
  const employeeStatus = EMPLOYEE_STATUS.HealthInsurance
  const member = await insertPlace(db, course, present, { employeeStatus, person: { employeeStatus, ...person } })
  await insertRow(db, 'settlements', { courseId: course.id, number: 1, factsHash: hashOfLines([]) })
  return { course, member }
}

/** Inserts a certificate whose payload certifies nothing. @returns its code */
export async function insertCertificate(
  db: Queryable,
  { id, bookingId }: { id: number; bookingId: number },
): Promise<string> {
  const code = randomBytes(16).toString('base64url')
  await insertRow(db, 'certificates', { code, bookingId, version: 1 })
  const payload = Buffer.from(JSON.stringify({ jti: code, course: 'Rückenfit' })).toString('base64url')
  await insertRow(db, 'certificate_documents', { code, webUserId: id, jws: `e30.${payload}.` })
  return code
}

/** Inserts an absence proof that awaits the department's decision. */
export const insertProof = (db: Queryable, webUserId: number, values: Values = {}): Promise<{ id: number }> =>
  insertRow(db, 'proofs', {
    webUserId,
    kind: 'shift',
    startsOn: dateFromNow(-60),
    endsOn: dateFromNow(0),
    fileName: 'proof.pdf',
    mediaType: 'application/pdf',
    content: Buffer.from('%PDF-1.4'),
    ...(values.kind === 'sick' && { consentedAt: new Date(), consentVersion: '1' }),
    ...values,
  })

/** Inserts a person who owes an amount (default: 45 €) that belongs to no course. Keys: columns in camelCase. */
export async function insertOwed(db: Queryable, person: Values = {}, cents = 4500) {
  const user = await insertUserWithSession(db, {
    street: 'Weg 1',
    zip: '38440',
    city: 'Wolfsburg',
    billingType: 1,
    ...person,
  })
  const { id: accountId } = await insertRow<{ id: number }>(db, 'ledger_accounts', { webUserId: user.id })
  const { id: entryId } = await insertRow<{ id: number }>(db, 'ledger_entries', {
    accountId,
    kind: 'correction',
    cents,
  })
  return { ...user, accountId, entryId }
}

/** Inserts an unpaid invoice for 45 € in a closed batch. */
export async function insertInvoice(db: Queryable) {
  const person = await insertOwed(db, { billingType: 3 })
  const { accountId, entryId } = person
  const { id: batchId } = await insertRow<{ id: number }>(db, 'batches', {
    kind: 'invoice',
    closedAt: new Date(),
    sha256: createHash('sha256').update('zip').digest(),
  })
  await insertRow(db, 'batch_files', { batchId, format: 'zip', content: Buffer.from('zip') })
  const line = { batchId, accountId, cents: 4500, route: 'invoice', reference: `${batchId}-00001` }
  const { id: lineId } = await insertRow<{ id: number }>(db, 'batch_lines', line)
  await insertRow(db, 'batch_entries', { lineId, entryId })
  const { sequence } = await db.one<{ sequence: number }>(
    sql`select count(*)::int + 1 as sequence from invoices where year = 2001`,
  )
  const number = `2001-${String(sequence).padStart(6, '0')}`
  const address = { name: 'Kim Muster', street: 'Weg 1', zip: '38440', city: 'Wolfsburg' }
  const dates = { issuedOn: dateFromNow(-20), dueOn: dateFromNow(-6), pdf: Buffer.from('%PDF-1.7') }
  await insertRow(db, 'invoices', {
    number,
    year: 2001,
    sequence,
    lineId,
    accountId,
    cents: 4500,
    ...address,
    ...dates,
  })
  return { ...person, number, batchId }
}
