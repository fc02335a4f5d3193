import { expect, test } from 'vitest'
import { listClosing, listInvoices } from '#contract/office/money.ts'
import { sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertTick } from '#server/test/factories.ts'
import { insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { openTestDesk, openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['billing', 'bookings'])
const { db } = server

const act = async (body: Parameters<typeof office.act>[0]) => {
  const answer = await office.act(body)
  expect(answer.status, answer.message).toBe('Ok')
  return answer
}
const board = async (seasonId: number) =>
  (await server.request(listClosing, { token: office.token, query: { seasonId: String(seasonId) } })).body

test('a course goes from its open list to its last payment, and each step says who has to act and what waits', async () => {
  const course = await insertPastCourse(db, 3, { isParticipatingComplete: false })
  const known = { knownAt: new Date(), personnelNumber: '4711' }
  const byPayroll = await insertPlace(db, course, 0, { isWaiverOffered: true, person: known })
  const byInvoice = await insertPlace(db, course, 0, { isWaiverOffered: true, person: { billingType: 3 } })
  await insertPlace(db, course, 3, { isWaiverOffered: true, person: { ...known, personnelNumber: '4712' } })
  const [, , last = 0] = course.lessonIds
  await db.execute(sql`delete from attendances where course_date_id = ${last}`)
  const proof = await insertProof(db, byPayroll.id)
  const now = async () => {
    const { courses, finished } = await board(course.seasonId)
    const [row] = courses
    const counts = Object.fromEntries(
      row?.steps.filter(({ isDone }) => !isDone).map(({ step, count }) => [step, count]) ?? [],
    )
    return { next: row?.next, actor: row?.actor, waiting: row?.waiting, counts, finished }
  }
  const later = { handover: 0, payment: 0, certificates: 0 }
  expect(await now()).toMatchObject({
    next: 'list',
    actor: 'instructor',
    counts: { list: 1, proofs: 1, settlement: 0, ...later },
  })

  for (const { id } of [byPayroll, byInvoice])
    await insertTick(db, { courseDateId: last, webUserId: id, isPresent: false, recordedBy: null })
  expect(await now()).toMatchObject({ next: 'list', counts: { list: 0 } })
  await db.execute(sql`update courses set is_participating_complete = true where id = ${course.id}`)
  expect(await now()).toEqual({
    next: 'proofs',
    actor: 'department',
    waiting: 90,
    finished: 0,
    counts: { proofs: 1, settlement: 0, ...later },
  })

  await act({ kind: 'decide-proof', proofId: proof.id, decision: 'refused', reason: 'Unleserlich' })
  expect(await now()).toMatchObject({ next: 'settlement', actor: 'department', waiting: 90 })

  await act({ kind: 'settle-courses', courseIds: [course.id], reason: 'Saisonende' })
  expect(await now()).toMatchObject({ next: 'handover', actor: 'department', waiting: 90, counts: { handover: 2 } })

  const payroll = Number((await act({ kind: 'create-batch', batchKind: 'payroll' })).result.id)
  await act({ kind: 'close-batch', batchId: payroll })
  expect(await now()).toMatchObject({ next: 'handover', waiting: 90, counts: { handover: 1 } })

  const invoices = Number((await act({ kind: 'create-batch', batchKind: 'invoice' })).result.id)
  await act({ kind: 'close-batch', batchId: invoices })
  expect(await now()).toMatchObject({ next: 'payment', actor: 'payroll', waiting: 90, counts: { payment: 1 } })

  await act({ kind: 'answer-batch', batchId: payroll, all: true })
  expect(await now()).toMatchObject({ next: 'payment', actor: 'payers', waiting: 45 })

  const { items } = (await server.request(listInvoices, { token: office.token })).body
  await act({ kind: 'mark-paid', invoiceNumber: items[0]?.number ?? '', paidOn: dateFromNow(0), amount: 45 })
  expect(await board(course.seasonId)).toEqual({ courses: [], finished: 1, isAutomatic: false })
})

test('the list of a course whose lessons were all cancelled waits for the department, not for the instructor', async () => {
  const course = await insertPastCourse(db, 2, { isParticipatingComplete: false })
  await insertPlace(db, course, 0)
  await db.execute(sql`update course_dates set state = 'cancelled' where course_id = ${course.id}`)
  expect((await board(course.seasonId)).courses).toMatchObject([{ next: 'list', actor: 'department' }])
})

test('a settled course that is cancelled before another lesson waits for its settlement, and its credits for the refund', async () => {
  const programme = await openTestDesk(server, ['programme'])
  const course = await insertPastCourse(db)
  await insertPlace(db, course, 0, { person: { billingType: 3 } })
  await act({ kind: 'settle-courses', courseIds: [course.id] })
  const { result } = await act({ kind: 'create-batch', batchKind: 'invoice' })
  await act({ kind: 'close-batch', batchId: Number(result.id) })
  const extra = { date: dateFromNow(10), startTime: '18:00', endTime: '19:00', reason: 'Ersatz' }
  expect(await programme.act({ kind: 'add-lesson', courseId: course.id, ...extra })).toMatchObject({ status: 'Ok' })
  expect(await programme.act({ kind: 'cancel-course', courseId: course.id })).toMatchObject({ status: 'Ok' })
  const now = async () => (await board(course.seasonId)).courses.map(({ next, waiting }) => ({ next, waiting }))
  expect(await now()).toMatchObject([{ next: 'settlement' }])
  await act({ kind: 'settle-courses', courseIds: [course.id] })
  expect(await now()).toMatchObject([{ next: 'handover' }])
})
