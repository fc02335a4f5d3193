// @module-tag extended
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import {
  announceAbsence,
  bookCourse,
  cancelCourse,
  changeLessonPlace,
  listBookedCourses,
} from '#contract/endpoints/courses.ts'
import { followThing } from '#contract/endpoints/reminders.ts'
import { createRandom } from '#contract/test/random.ts'
import { BOOKING_STATUS, RIGHTS } from '#contract/values.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import {
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
  markProgrammeChanged,
} from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { takeFreedPlace } from './lesson-place-repository.ts'
import { updateLessonPlaces } from './lesson-place-service.ts'
import { lockCourse } from './repository.ts'
import { closeExpiredWaitingLists } from './waiting-list-service.ts'

/** EVENING_SEED repeats the schedules of an earlier run. */
const seed = Number(process.env.EVENING_SEED ?? Date.now() % 1_000_000)
const SCHEDULES = 80
const STEPS = 8
const OWNERS = 3

const server = await openTestServer()
const { db } = server
const desk = await openTestDesk(server, RIGHTS)
const teacher = await insertInstructorWithSession(db)
type Person = Awaited<ReturnType<typeof insertUserWithSession>>

type Scene = {
  courseId: number
  lesson: { id: number; heldAt: string }
  owners: Person[]
  takers: Person[]
  random: () => number
  /** people to whom the portal has said that they have a place, and those of whom it is unknown after this group of steps */
  guests: Set<number>
  unsure: Set<number>
}

const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item

/** A full course with people on the waiting list and followers, who may take a place at once. */
async function openScene(random: () => number): Promise<Scene> {
  const { id: courseId } = await insertCourse(db, { capacity: OWNERS, instructorEmails: [teacher.email] })
  const lesson = await db.one<Scene['lesson']>(sql`
    select id, held_at::text as "heldAt" from course_dates where course_id = ${courseId} order by held_at limit 1`)
  const people: Person[] = []
  for (let index = 0; index < OWNERS + 4; index += 1) people.push(await insertUserWithSession(db))
  const [owners, takers] = [people.slice(0, OWNERS), people.slice(OWNERS)]
  for (const { token } of people.slice(0, OWNERS + 2))
    await server.request(bookCourse, { token, body: { id: courseId } })
  for (const { token } of takers) await server.request(followThing, { token, body: { kind: 'course', id: courseId } })
  return { courseId, lesson, owners, takers, random, guests: new Set(), unsure: new Set() }
}

/** Answers with an error of the server, such as a deadlock. */
const failures: string[] = []
function isDone({ status, body }: { status: number; body: object }): boolean {
  if (status >= 500) failures.push(`${status} ${JSON.stringify(body)}`)
  return 'status' in body && body.status === 'Ok'
}
const at = ({ lesson }: Scene) => toDateTimeValue(lesson.heldAt)
const announce = async (scene: Scene, { token }: Person, isAbsent: boolean, isFreed?: boolean) =>
  isDone(
    await server.request(announceAbsence, {
      token,
      body: { id: scene.courseId, at: at(scene), isAbsent, ...(isFreed !== undefined && { isFreed }) },
    }),
  )
const place = async (scene: Scene, { token }: Person, isTaken: boolean) =>
  isDone(await server.request(changeLessonPlace, { token, body: { id: scene.courseId, at: at(scene), isTaken } }))

/** A server that dies after the statement and before its commit: the transaction is aborted. */
const takeAndDie = (scene: Scene, { id }: Person) =>
  db
    .transaction(async tx => {
      await lockCourse(tx, scene.courseId)
      await takeFreedPlace(tx, id, { courseId: scene.courseId, at: scene.lesson.heldAt })
      await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    .catch(() => false)

let places = 0
type Step = (scene: Scene) => Promise<unknown>
/** What may happen, in any order and several at once. Later ones are rarer. */
const STEPS_OF_PEOPLE: Step[] = [
  scene => announce(scene, pick(scene.random, scene.owners), true, true),
  scene => announce(scene, pick(scene.random, scene.owners), true, true),
  scene => announce(scene, pick(scene.random, scene.owners), false),
  scene => announce(scene, pick(scene.random, scene.owners), true, false),
  scene => takeCounted(scene, pick(scene.random, scene.takers)),
  scene => Promise.all([...scene.takers].slice(0, 2).map(person => takeCounted(scene, person))),
  scene => Promise.all([...scene.takers].slice(2).map(person => takeCounted(scene, person))),
  scene => takeAndDie(scene, pick(scene.random, scene.takers)),
  scene => {
    const person = pick(scene.random, scene.takers)
    scene.unsure.add(person.id)
    return place(scene, person, false)
  },
  async scene => {
    const person = pick(scene.random, scene.takers)
    const body = { id: scene.courseId }
    const [, booked] = await Promise.all([
      takeCounted(scene, person),
      server.request(bookCourse, { token: person.token, body }),
    ])
    return isDone(booked)
  },
]
const RARE_STEPS: Step[] = [
  ({ random, owners, courseId }) =>
    server.request(cancelCourse, { token: pick(random, owners).token, body: { id: courseId } }),
  ({ random, takers, courseId }) =>
    server.request(cancelCourse, { token: pick(random, takers).token, body: { id: courseId } }),
  ({ random, takers, courseId }) =>
    server.request(bookCourse, { token: pick(random, takers).token, body: { id: courseId } }),
  async ({ lesson }) => {
    await desk.send({ kind: 'cancel-lesson', courseDateId: lesson.id, reason: 'Test' })
    await desk.send({ kind: 'restore-lesson', courseDateId: lesson.id, reason: 'Test' })
  },
  ({ random, takers }) => desk.send({ kind: 'lock-person', webUserId: pick(random, takers).id, reason: 'Test' }),
  ({ random, takers }) =>
    desk.send({
      kind: 'merge-people',
      webUserId: pick(random, takers).id,
      intoWebUserId: pick(random, takers).id,
      reason: 'Test',
    }),
]

/** As if the period in which only people on the waiting list may take a place had passed. */
const openForFollowers = ({ courseId }: Scene) =>
  db.execute(sql`update freed_places set followers_from = clock_timestamp() where course_id = ${courseId}`)

async function takeCounted(scene: Scene, person: Person): Promise<boolean> {
  const isTaken = await place(scene, person, true)
  if (isTaken) {
    places += 1
    scene.guests.add(person.id)
  }
  return isTaken
}

/** Who is on the list, as the instructor's phone has it. */
const readList = async ({ courseId, lesson }: Scene) => {
  const { body } = await server.request(getCourseDates, { token: teacher.token, params: { id: courseId } })
  return body.courseDates.find(({ id }) => id === lesson.id)?.participants ?? []
}

/** Faults of the list, the owners' own pages and the acknowledged places. */
async function findFaults(scene: Scene): Promise<string[]> {
  await updateLessonPlaces(db, 'DE-NI', 0)
  const faults: string[] = []
  const list = await readList(scene)
  const guests = list.filter(({ isGuest }) => isGuest)
  const seats = list.filter(({ isGuest }) => !isGuest)
  const absent = seats.filter(({ isAbsenceAnnounced }) => isAbsenceAnnounced)
  if (new Set(list.map(({ id }) => id)).size !== list.length) faults.push('a person is on the list twice')
  if (seats.length > OWNERS) faults.push(`${seats.length} seats`)
  if (guests.length > absent.length) faults.push(`${guests.length} guests for ${absent.length} absent owners`)
  for (const id of scene.guests)
    if (!list.some(person => person.id === id)) faults.push(`guest ${id} has lost the place`)
  let taken = 0
  for (const { id, token } of [...scene.owners, ...scene.takers]) {
    if (!absent.some(person => person.id === id)) continue
    const { body } = await server.request(listBookedCourses, { token })
    // A locked or merged account has no session, but keeps its seat.
    if (!Array.isArray(body)) continue
    const course = body.find(of => of.id === scene.courseId)
    if (course?.bookingStatus !== BOOKING_STATUS.Booked) faults.push(`owner ${id} has lost the seat`)
    taken += course?.freedPlaces?.some(({ isTaken }) => isTaken) ? 1 : 0
  }
  if (taken > guests.length) faults.push(`${guests.length} guests, owners see ${taken}`)
  return faults
}

/** The lesson begins, and two phones without network deliver what they ticked on lists of any age. */
async function deliverTicks(scene: Scene, lists: number[][]): Promise<string[]> {
  const { courseId, lesson, random } = scene
  const ago = sql`interval '9 days'`
  await db.execute(sql`update bookings set booked_at = booked_at - ${ago}, promoted_at = promoted_at - ${ago},
    cancelled_at = cancelled_at - ${ago}, passed_over_at = passed_over_at - ${ago} where course_id = ${courseId}`)
  await db.execute(sql`update course_dates set held_at = held_at - ${ago} where course_id = ${courseId}`)
  await db.execute(sql`update freed_places set held_at = held_at - ${ago} where course_id = ${courseId}`)
  await markProgrammeChanged(db)
  const belongs = new Set((await readList(scene)).map(({ id }) => id))
  const merges = await db.query<{ fromId: number; intoId: number }>(sql`
    select from_id as "fromId", into_id as "intoId" from merges`)
  // A tick of a merged person, whom an older list still has, is that of the remaining one.
  const heirOf = (id: number): number => {
    const merge = merges.find(({ fromId }) => fromId === id)
    return merge ? heirOf(merge.intoId) : id
  }
  const faults: string[] = []
  const phones = [pick(random, lists), pick(random, lists)]
  await Promise.all(
    phones.map(async phone => {
      for (const webUserId of phone) {
        const body = {
          changeState: random() < 0.7 ? ('added' as const) : ('deleted' as const),
          courseDateId: lesson.id,
          webUserId,
          changeId: randomUUID(),
        }
        for (const answer of [
          await server.request(changePresence, { token: teacher.token, body }),
          await server.request(changePresence, { token: teacher.token, body }),
        ])
          if (isDone(answer) !== belongs.has(heirOf(webUserId))) faults.push(`tick of ${webUserId}: ${answer.status}`)
      }
    }),
  )
  const list = await readList(scene)
  const ids = (people: { id: number }[]) => people.map(({ id }) => id).sort((a, b) => a - b)
  if (ids(list).join() !== [...belongs].sort((a, b) => a - b).join())
    faults.push('ticks have changed who is on the list')
  return faults
}

test('random schedules never give a place to two guests, never lose an owner, never a guest and the owner', {
  timeout: 1_800_000,
}, async () => {
  console.log(`evening: ${SCHEDULES} schedules, seed ${seed}`)
  // A repeated run must not fail for the first one.
  failures.length = 0
  places = 0
  const faults: string[] = []
  for (let schedule = 0; schedule < SCHEDULES; schedule += 1) {
    const random = createRandom(seed + schedule)
    const scene = await openScene(random)
    const lists: number[][] = []
    await Promise.all(scene.owners.slice(0, 2).map(owner => announce(scene, owner, true, true)))
    const steps = Array.from({ length: STEPS }, () => pick(random, random() < 0.15 ? RARE_STEPS : STEPS_OF_PEOPLE))
    for (let index = 0; index < steps.length; ) {
      const together = steps.slice(index, index + 1 + Math.floor(random() * 3))
      index += together.length
      if (random() < 0.7) await openForFollowers(scene)
      await Promise.all(together.map(step => step(scene)))
      // Rare steps may end places.
      if (together.some(step => RARE_STEPS.includes(step))) scene.guests.clear()
      for (const id of scene.unsure) scene.guests.delete(id)
      scene.unsure.clear()
      lists.push((await readList(scene)).map(({ id }) => id))
      const found = await findFaults(scene)
      faults.push(...found.map(fault => `schedule ${schedule}, step ${index}: ${fault}`))
    }
    faults.push(...(await deliverTicks(scene, lists)).map(fault => `schedule ${schedule}: ${fault}`))
  }
  console.log(`evening: ${places} places taken`)
  expect(faults, `EVENING_SEED=${seed}`).toEqual([])
  expect(failures, `EVENING_SEED=${seed}`).toEqual([])
  expect(places).toBeGreaterThan(SCHEDULES / 2)
  // Records who was passed over because the account was locked.
  await closeExpiredWaitingLists(db, 'DE-NI')
  expect((await auditPortal(db)).findings).toEqual([])
})
