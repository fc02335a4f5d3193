import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { editWebUser, type ProfileRequest } from '#contract/endpoints/accounts.ts'
import { bookCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS } from '#contract/values.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertDivision, insertUserWithSession } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['bookings', 'programme'])

let course: Awaited<ReturnType<typeof insertCourse>>
let [holder, first, second] = [] as unknown as Awaited<ReturnType<typeof insertUserWithSession>>[]
const onlineDivision = await insertDivision(server.db, { isOnlineOnly: true })

/** A course with one place and two people on the waiting list. */
beforeEach(async () => {
  course = await insertCourse(server.db, { capacity: 1 })
  ;[holder, first, second] = await Promise.all([0, 1, 2].map(() => insertUserWithSession(server.db)))
  for (const person of [holder, first, second])
    await server.request(bookCourse, { token: person?.token ?? '', body: { id: course.id } })
})

const idOf = (person: { id: number } | undefined) => person?.id ?? 0
const bookedOf = async (person: { token: string } | undefined) =>
  (await server.request(listBookedCourses, { token: person?.token ?? '' })).body.map(
    ({ bookingStatus }) => bookingStatus,
  )
const peopleOf = async () => {
  const { body } = await server.request(getOfficeCourse, { params: { id: course.id }, token: office.token })
  const ids = (people: { webUserId: number }[]) => people.map(({ webUserId }) => webUserId)
  return { booked: ids(body.booked), waiting: ids(body.waiting) }
}
const idsOf = (people: { id: number }[]) => people.map(({ id }) => id)

test('the preview names the waiting places that end with the new status external, and the act ends them', async () => {
  const { consequences, status } = await office.actAsPreviewed({
    kind: 'change-person',
    webUserId: idOf(first),
    employeeStatus: EMPLOYEE_STATUS.External,
  })
  expect({
    status,
    ended: idsOf(consequences.ended),
    told: idsOf(consequences.told),
    mails: consequences.mails,
  }).toEqual({
    status: 'Ok',
    ended: [idOf(first)],
    told: [idOf(first)],
    mails: 1,
  })
  expect(await bookedOf(first)).toEqual([])
  expect(await peopleOf()).toMatchObject({ booked: [idOf(holder)], waiting: [idOf(second)] })
  expect((await auditPortal(server.db)).findings).toEqual([])
})

test('who is unlocked beside a free place gets it with the act, as the preview says', async () => {
  await office.act({ kind: 'lock-person', webUserId: idOf(first) })
  await office.act({ kind: 'cancel-booking', courseId: course.id, webUserId: idOf(second), charge: 'none' })
  await office.act({ kind: 'cancel-booking', courseId: course.id, webUserId: idOf(holder), charge: 'none' })
  expect(await peopleOf()).toMatchObject({ booked: [] })
  const { consequences } = await office.actAsPreviewed({ kind: 'unlock-person', webUserId: idOf(first) })
  expect(idsOf(consequences.promoted)).toEqual([idOf(first)])
  expect(await peopleOf()).toMatchObject({ booked: [idOf(first)], waiting: [] })
  expect((await auditPortal(server.db)).findings).toEqual([])
})

test('the next person keeps the number, but gets the place, when the first one can take none', async () => {
  await office.act({ kind: 'change-person', webUserId: idOf(first), divisionId: onlineDivision.id })
  expect((await auditPortal(server.db)).findings).toEqual([])
  expect(await bookedOf(second)).toEqual([2])
  const { body } = await server.request(listBookedCourses, { token: second?.token ?? '' })
  expect(body[0]).toMatchObject({ waitingListPosition: 2, currentWaiting: 2 })
  const { consequences } = await office.act({
    kind: 'cancel-booking',
    courseId: course.id,
    webUserId: idOf(holder),
    charge: 'none',
  })
  expect(idsOf(consequences.promoted)).toEqual([idOf(second)])
})

test('an act about something else neither updates outdated waiting lists nor prevents its undo', async () => {
  const other = await insertCourse(server.db)
  const [lesson] = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${other.id} order by id`)
  const courseDateId = lesson?.id ?? 0
  const becomeExternal = (person: { id: number } | undefined) =>
    server.db.execute(sql`
      update web_users set employee_status = ${EMPLOYEE_STATUS.External} where id = ${idOf(person)}`)
  // As by an import that the scheduled task has not processed yet.
  await becomeExternal(first)
  const actId = randomUUID()
  const cancelled = await office.act({ kind: 'cancel-lesson', courseDateId, actId, undoable: true })
  expect(cancelled).toMatchObject({ undoable: true, consequences: { ended: [], told: [] } })
  await becomeExternal(second)
  expect(await office.act({ kind: 'restore-lesson', courseDateId, undoes: actId })).toMatchObject({
    status: 'Ok',
    consequences: { ended: [], told: [] },
  })
  const { token = '', email = '' } = holder ?? {}
  const body = {
    ...completeInput(EMPLOYEE_STATUS.External, BILLING_TYPE.Invoice),
    email,
    divisionId: onlineDivision.id,
  } as ProfileRequest
  expect((await server.request(editWebUser, { token, body })).body).toMatchObject({ status: 'Ok' })
  expect(await peopleOf()).toMatchObject({ waiting: [idOf(first), idOf(second)] })
  await closeExpiredWaitingLists(server.db, 'DE-NI')
  expect(await peopleOf()).toMatchObject({ booked: [idOf(holder)], waiting: [] })
})

test('an act about one person of an outdated waiting list names this person in its preview', async () => {
  await server.db.execute(sql`update web_users set locked_at = now() where id = ${idOf(first)}`)
  const { consequences } = await office.actAsPreviewed({
    kind: 'change-person',
    webUserId: idOf(second),
    employeeStatus: EMPLOYEE_STATUS.External,
  })
  expect(idsOf(consequences.ended)).toEqual([idOf(second)])
  expect((await auditPortal(server.db)).findings).toEqual([])
})
