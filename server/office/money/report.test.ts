import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { changePresence, getCourseDates, getParticipantList, noteDoorGuest } from '#contract/endpoints/attendance.ts'
import { getCourse } from '#contract/endpoints/courses.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { getOfficeList, listTimeline } from '#contract/office/people.ts'
import { getReport } from '#contract/office/report.ts'
import { createRandom } from '#contract/test/random.ts'
import { listCertifiableBookings } from '#server/features/certificates/repository.ts'
import { listTaughtLessons } from '#server/office/people/list-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertRow,
  insertSeason,
  insertTick,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'
import { hideSmallGroups } from './report-service.ts'

const { server, ...office } = await openTestOffice(['billing', 'bookings', 'programme'])
const calls = createAccountCalls(server)
const { db } = server

const read = async (seasonId: number, against?: number) =>
  (
    await server.request(getReport, {
      token: office.token,
      query: { seasonId: String(seasonId), ...(against !== undefined && { against: String(against) }) },
    })
  ).body

/** A season with one course of three lessons: three participants, one cancelled, one on the waiting list only. */
async function insertPlayedSeason() {
  const course = await insertPastCourse(db, 3, { capacity: 4, opensAt: daysFromNow(-100) })
  const places = []
  for (const [index, present] of [3, 1, 0].entries())
    places.push(
      await insertPlace(db, course, present, { bookedAt: new Date(daysFromNow(-100).getTime() + index * 90_000) }),
    )
  const left = await insertUserWithSession(db)
  await insertBooking(db, course.id, left.id, { bookedAt: daysFromNow(-50), cancelledAt: daysFromNow(-25) })
  await db.execute(sql`update courses set taken = taken - 1 where id = ${course.id}`)
  await insertBooking(db, course.id, (await insertUserWithSession(db)).id, { state: 2, bookedAt: daysFromNow(-49) })
  return { course, places }
}

test('counts seats, attendance, waiting people, cancellations and money of a season', async () => {
  const { course, places } = await insertPlayedSeason()
  // Nobody recorded the second lesson. The third person has no record of the first one and is excused from the third.
  const [first = 0, second = 0, third = 0] = course.lessonIds
  const person = places[2]?.id ?? 0
  for (const { id: webUserId } of places)
    await insertTick(db, { courseDateId: second, webUserId, isPresent: null, recordedBy: null })
  await insertTick(db, { courseDateId: first, webUserId: person, isPresent: null, recordedBy: null })
  const { day } = await db.one<{ day: string }>(
    sql`select held_at::date::text as day from course_dates where id = ${third}`,
  )
  const startsOn = new Date(Date.parse(day) - 2 * 86_400_000).toISOString().slice(0, 10)
  const endsOn = new Date(Date.parse(day) + 16 * 86_400_000).toISOString().slice(0, 10)
  await insertProof(db, person, { kind: 'sick', state: 'accepted', decidedAt: new Date(), startsOn, endsOn })
  await office.act({ kind: 'settle-courses', courseIds: [course.id], reason: 'Saisonende' })

  const report = await read(course.seasonId)
  const ofCourse = { courseId: course.id, number: course.number }
  expect(report).toMatchObject({
    closedAt: null,
    utilisation: [{ ...ofCourse, lessons: 3, places: 12, taken: 9 }],
    waiting: [{ ...ofCourse, places: 4, waiting: 1 }],
    attendance: [
      { lesson: 1, present: 2, absent: 1, excused: 0, unrecorded: 0 },
      { lesson: 2, present: 0, absent: 0, excused: 0, unrecorded: 3 },
      { lesson: 3, present: 1, absent: 1, excused: 1, unrecorded: 0 },
    ],
    noShows: [{ ...ofCourse, present: 3, absent: 2 }],
    // Booked, three people: too few to be counted by group.
    participants: { total: null, age: [], status: [], division: [] },
    money: { charged: 135, waived: 45, refunded: 0, payroll: 0, invoiced: 0, paid: 0, open: 90 },
  })
  expect(report.demand.map(({ hour, places, booked, waiting }) => [hour, places, booked, waiting])).toEqual([
    [18, 4, 3, 1],
  ])
  expect(report.rooms.map(({ roomId, hours }) => [roomId, hours])).toEqual([[null, 3]])
  const room = await insertRow<{ id: number }>(db, 'rooms', { name: 'Halle R' })
  await db.execute(sql`update courses set venue = 'Halle R' where id = ${course.id}`)
  await db.execute(sql`update course_dates set room_id = ${room.id} where id = ${first}`)
  const { rooms } = await read(course.seasonId)
  expect(rooms.map(({ roomId, name, hours }) => [roomId, name, hours])).toEqual([[room.id, 'Halle R', 3]])
  expect(report.cancellations.map(({ count }) => count)).toEqual([1])
  const counts = new Map(report.bookings.season.map(({ minutes, count }) => [minutes, count]))
  expect([counts.get(1), counts.get(2), counts.get(1_440), counts.get(80_640)]).toEqual([1, 2, 3, 5])
  expect(report.bookings.against).toBeNull()
  expect((await read((await insertSeason(db)).id, course.seasonId)).bookings).toMatchObject({
    season: [],
    against: report.bookings.season,
  })
})

test('groups participants by age, status and division, and hides small groups', async () => {
  const course = await insertPastCourse(db, 1, { capacity: 100 })
  for (let index = 0; index < 30; index += 1)
    await insertPlace(db, course, 1, {
      person: { yearOfBirth: index < 12 ? 1960 : 1990, employeeStatus: index < 3 ? 4 : 1 },
    })
  const { participants } = await read(course.seasonId)
  expect(participants.total).toBe(30)
  expect(participants.age.map(({ count }) => count)).toEqual([18, 12])
  expect(participants.status).toEqual([
    { employeeStatus: 1, count: null },
    { employeeStatus: 4, count: null },
  ])
})

test('a closed season keeps its figures after deletions, and closing it with unsettled courses requires a reason', async () => {
  const { course, places } = await insertPlayedSeason()
  const close = { kind: 'close-season', seasonId: course.seasonId } as const
  expect(await office.act(close)).toMatchObject({ status: 'Reason' })
  expect(await office.act({ kind: 'settle-courses', courseIds: [course.id] })).toMatchObject({ status: 'Ok' })
  expect(await office.actAsPreviewed(close)).toMatchObject({ status: 'Ok' })
  const closed = await read(course.seasonId)
  expect(closed.closedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)

  await server.request(deleteAccount, { token: places[0]?.token ?? '', body: { password: '' } })
  for (const { id } of places) {
    await db.execute(sql`delete from attendances where web_user_id = ${id}`)
    await db.execute(sql`delete from bookings where web_user_id = ${id}`)
  }
  expect(await read(course.seasonId)).toEqual(closed)
  expect(await office.act(close)).toMatchObject({ status: 'Ok' })
  expect(await read(course.seasonId)).toEqual(closed)
})

test('an unknown season is not found', async () => {
  const { status } = await server.request(getReport, { token: office.token, query: { seasonId: '999999' } })
  expect(status).toBe(404)
})

describe('small groups', () => {
  const shown = (...counts: number[]) => hideSmallGroups(counts.map(count => ({ count }))).map(({ count }) => count)

  test.each<[number[], (number | null)[]]>([
    [
      [5, 30, 100],
      [5, 30, 100],
    ],
    // One hidden group would be the total less the others.
    [
      [4, 30, 100],
      [null, null, 100],
    ],
    // Two groups of together 2 are 1 and 1.
    [
      [1, 1, 30, 40],
      [null, null, null, 40],
    ],
    [
      [2, 4, 30],
      [null, null, 30],
    ],
    [[3], []],
    // All of them would be 1.
    [[1, 1, 1, 1, 1], []],
    [[], []],
  ])('%j is shown as %j', (counts, expected) => {
    expect(shown(...counts)).toEqual(expected)
  })

  /** The sizes that hidden groups can have: all splits of their sum that the rule would hide in the same way. */
  function possibleSizes(groups: readonly number[], isHidden: readonly boolean[]): Set<number>[] {
    const places = groups.flatMap((_, index) => (isHidden[index] ? [index] : []))
    const sum = places.reduce((total, index) => total + (groups[index] ?? 0), 0)
    const found = places.map(() => new Set<number>())
    const split = (sizes: number[], rest: number): void => {
      if (sizes.length === places.length - 1) {
        if (rest < 1) return
        const all = [...sizes, rest]
        const guess = groups.map((count, index) => (isHidden[index] ? (all[places.indexOf(index)] ?? 0) : count))
        if (shown(...guess).some((count, index) => (count === null) !== isHidden[index])) return
        for (const [index, size] of all.entries()) found[index]?.add(size)
        return
      }
      for (let size = 1; size < rest; size += 1) split([...sizes, size], rest - size)
    }
    if (places.length > 0) split([], sum)
    return found
  }

  test('no group smaller than five can be inferred from the total and the shown groups, even knowing the rule', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }), groups => {
        const found = shown(...groups)
        if (found.length === 0) return
        const isHidden = found.map(count => count === null)
        for (const [index, count] of groups.entries()) if (count < 5) expect(isHidden[index]).toBe(true)
        for (const sizes of possibleSizes(groups, isHidden)) expect(sizes.size).toBeGreaterThan(1)
      }),
      { numRuns: 500 },
    )
  })
})

test('a booking that a merge ended is no cancellation, and appears in no list or figure', async () => {
  const course = await insertTaughtCourse(db, {
    people: [{}, {}],
    capacity: 4,
    opensAt: daysFromNow(-30),
    startsOn: dateFromNow(-1),
    dates: [`${dateFromNow(-1)} 12:00`, `${dateFromNow(7)} 12:00`],
    booking: { bookedAt: daysFromNow(-20) },
  })
  const [into, from] = course.people
  const [courseDateId = 0] = course.lessonIds
  const present = course.people.map(({ id }) => id)
  await office.act({ kind: 'record-attendance', courseDateId, present, absent: [], reason: 'Liste auf Papier' })
  await office.act({
    kind: 'merge-people',
    webUserId: from?.id ?? 0,
    intoWebUserId: into?.id ?? 0,
    reason: 'doppelt',
  })
  const { cancellations, bookings } = await read(course.seasonId)
  expect(cancellations).toEqual([])
  expect(Math.max(...bookings.season.map(({ count }) => count))).toBe(1)
  const { former } = (await server.request(getOfficeCourse, { params: { id: course.id }, token: office.token })).body
  expect(former).toEqual([])
  const timeline = await server.request(listTimeline, { params: { id: into?.id ?? 0 }, token: office.token })
  expect(timeline.body.items.filter(({ kind }) => kind === 'booking').map(({ event }) => event)).toEqual([
    'booked',
    'booked',
  ])
  for (const file of ['attendance.csv', 'bookings.csv'] as const) {
    const query = { seasonId: String(course.seasonId) }
    const { body } = await server.request(getOfficeList, { params: { file }, query, token: office.token })
    expect(Buffer.from(body).toString('utf8').trim().split('\r\n')).toHaveLength(2)
  }
})

test('a booking moved to another course is no cancellation, and one booking', async () => {
  const person = await insertUserWithSession(db)
  const from = await insertCourse(db, { opensAt: daysFromNow(-30), startsOn: dateFromNow(7) })
  const to = await insertCourse(db, { seasonId: from.seasonId, opensAt: daysFromNow(-30), startsOn: dateFromNow(8) })
  await insertBooking(db, from.id, person.id, { bookedAt: daysFromNow(-20) })
  const move = { kind: 'move-booking', webUserId: person.id, reason: 'passt besser' } as const
  const actId = randomUUID()
  await office.act({ ...move, actId, fromCourseId: from.id, toCourseId: to.id })
  const seen = async () => {
    const { cancellations, bookings } = await read(from.seasonId)
    return [cancellations, Math.max(...bookings.season.map(({ count }) => count))]
  }
  expect(await seen()).toEqual([[], 1])
  await office.act({ ...move, fromCourseId: to.id, toCourseId: from.id, undoes: actId })
  expect(await seen()).toEqual([[], 1])
  await office.act({ ...move, fromCourseId: from.id, toCourseId: to.id })
  expect(await seen()).toEqual([[], 1])

  await office.act({ kind: 'cancel-booking', courseId: to.id, webUserId: person.id, charge: 'none' })
  expect((await read(from.seasonId)).cancellations).toEqual([{ days: 8, count: 1 }])
})

test('every list, page and report has the same number of people present at a lesson', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  for (let round = 0; round < 3; round++) {
    const course = await insertTaughtCourse(db, {
      capacity: 40,
      centralTestInstitute: 'KU-BE-4711',
      startsOn: dateFromNow(-1),
      dates: [`${dateFromNow(-1)} 12:00`],
    })
    const [lessonId = 0] = course.lessonIds
    const { lesson } = await db.one<{ lesson: Date }>(
      sql`select held_at::timestamptz as lesson from course_dates where id = ${lessonId}`,
    )
    const at = (hours: number) => new Date(lesson.getTime() + hours * 3_600_000)
    const people: { id: number; email: string; token: string }[] = []
    for (let index = 0; index < 10; index++) {
      const person = await insertUserWithSession(db)
      const bookedAt = pick([at(-72), at(-1), at(1), at(11.5), new Date()])
      const cancelledAt = pick([null, null, new Date(Math.max(at(-24).getTime(), bookedAt.getTime())), new Date()])
      await insertBooking(db, course.id, person.id, { bookedAt, cancelledAt })
      if (cancelledAt) await db.execute(sql`update courses set taken = taken - 1 where id = ${course.id}`)
      if (cancelledAt && random() < 0.3) await insertBooking(db, course.id, person.id, { bookedAt: new Date() })
      people.push(person)
    }
    for (let tick = 0; tick < 16; tick++) {
      const body = {
        courseDateId: lessonId,
        webUserId: pick(people).id,
        changeState: pick(['added', 'added', 'deleted'] as const),
      }
      const { body: answer } = await server.request(changePresence, { body, token: course.teacher.token })
      if (answer.status === 'Failed') expect(answer.code, `seed ${seed}`).toBe('attendance.notInLesson')
    }
    for (const webUserId of [pick(people).id, pick(people).id]) {
      const entry = random() < 0.7 ? { present: [webUserId], absent: [] } : { present: [], absent: [webUserId] }
      await office.send({ kind: 'record-attendance', courseDateId: lessonId, ...entry, reason: 'Liste auf Papier' })
    }
    // A guest belongs to no lesson until somebody with a seat is ticked.
    const guest = { changeState: 'added', guestId: randomUUID(), courseDateId: lessonId, name: 'Jo Gast' } as const
    await server.request(noteDoorGuest, { body: guest, token: course.teacher.token })
    if (random() < 0.5)
      await insertBooking(db, course.id, (await insertUserWithSession(db)).id, { bookedAt: new Date() })
    const [from, into] = [people.pop(), pick(people)]
    if (from && random() < 0.8) {
      await office.act({ kind: 'merge-people', webUserId: from.id, intoWebUserId: into.id, reason: 'doppelt' })
      const link = await calls.linkTo(into.email, 'people-merged')
      if (random() < 0.4) expect((await calls.undo(link)).status).toBe('Ok')
    }
    const findings = (await auditPortal(db)).findings.filter(
      finding => finding.includes(`course ${course.number},`) && / lesson of /.test(finding),
    )
    expect(findings, `seed ${seed}, round ${round}`).toEqual([])

    const rowsOf = async (file: 'attendance.csv' | 'utilisation.csv') => {
      const query = { seasonId: String(course.seasonId) }
      const { body } = await server.request(getOfficeList, {
        params: { file },
        query,
        token: office.token,
        language: 'en',
      })
      const [head = [], ...rows] = Buffer.from(body)
        .toString('utf8')
        .trim()
        .split('\r\n')
        .map(row => row.split(';'))
      return rows.map(row => Number(row[head.findIndex(name => /^present$/i.test(name))]))
    }
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
    const dates = (await server.request(getCourseDates, { params: { id: course.id }, token: course.teacher.token }))
      .body
    const listed = dates.courseDates[0]?.participants ?? []
    const present = listed.filter(({ isUserPresent }) => isUserPresent).length
    const ofDesk = (await server.request(getOfficeCourse, { params: { id: course.id }, token: office.token })).body
    const [reported] = (await read(course.seasonId)).attendance
    const pdf = await server.request(getParticipantList, { params: { id: course.id }, token: course.teacher.token })
    const printed = readPdfPages(pdf.body).join(' ')
    const countOf = (pattern: RegExp) => printed.match(pattern)?.length ?? 0
    const taught = (await listTaughtLessons(db, course.seasonId)).map(row => row.present ?? 0)
    const figures = {
      list: present,
      // The printed list marks guests, too.
      pdf: countOf(/(?<=\s)X(?=\s|$)/g) - countOf(/Jo Gast/g),
      attendance: sum(await rowsOf('attendance.csv')),
      utilisation: sum(await rowsOf('utilisation.csv')),
      desk: ofDesk.lessons[0]?.present ?? 0,
      report: reported?.present ?? 0,
      taught: sum(taught),
    }
    const same = Object.fromEntries(Object.keys(figures).map(name => [name, present]))
    expect(figures, `seed ${seed}, round ${round}`).toEqual(same)

    const certified = new Map(
      (await listCertifiableBookings(db, course.id)).map(one => [one.webUserId, one.facts.attended]),
    )
    for (const person of people) {
      const own = (await server.request(getCourse, { params: { id: course.id }, token: person.token })).body
      if (own.bookingStatus !== 1) continue
      const shown = listed.find(({ id }) => id === person.id)?.participation ?? 0
      const of = {
        participation: own.participation,
        attendance: own.attendance?.present,
        certificate: certified.get(person.id),
      }
      expect(of, `seed ${seed}, person ${person.id}`).toEqual({
        participation: shown,
        attendance: shown,
        certificate: shown,
      })
    }
  }
})

test('a freed place with a guest is one place, so that no course is more than full', async () => {
  const course = await insertPastCourse(db, 1, { capacity: 1 })
  const [courseDateId = 0] = course.lessonIds
  const owner = await insertPlace(db, course, 0)
  const guest = await insertUserWithSession(db)
  await db.execute(sql`
    insert into freed_places (course_id, course_date_id, booking_id, held_at, followers_from, guest_id, taken_at)
    select ${course.id}, id, ${owner.bookingId}, held_at, held_at, ${guest.id}, held_at from course_dates where id = ${courseDateId}`)
  await insertTick(db, { courseDateId, webUserId: guest.id, isPresent: true, recordedBy: null })
  const { utilisation, attendance } = await read(course.seasonId)
  expect(utilisation).toMatchObject([{ places: 1, taken: 1 }])
  expect(attendance).toMatchObject([{ present: 1, absent: 1 }])
})
