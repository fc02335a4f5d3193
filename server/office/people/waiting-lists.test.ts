import { beforeEach, expect, test } from 'vitest'
import { bookCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
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

test('the next person moves up when the first one is locked or becomes online-only before a place is free', async () => {
  await office.act({ kind: 'change-person', webUserId: idOf(first), divisionId: onlineDivision.id })
  expect((await auditPortal(server.db)).findings).toEqual([])
  expect(await bookedOf(second)).toEqual([2])
  const { body } = await server.request(listBookedCourses, { token: second?.token ?? '' })
  expect(body[0]).toMatchObject({ waitingListPosition: 1 })
})
