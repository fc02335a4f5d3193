// @module-tag extended
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import type { ActResponse } from '#contract/office/office.ts'
import { zipProgramme } from '#server/features/programme/export-programme.ts'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { insertUpload } from '#server/office/frame/upload-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { createTestDatabase } from '#server/test/database.ts'
import {
  dateFromNow,
  insertCategory,
  insertCourse,
  insertInstructor,
  insertSeason,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { COURSE_HEADER, createTestFolder } from '#server/test/import-folder.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'

/** A long run: SEQUENCES=500 npm run unit -- …; a failure prints its seed, which SEED=… takes. */
const RUNS = Number(process.env.SEQUENCES ?? 4)
const SEED = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

const { server, ...office } = await openTestOffice(['programme', 'bookings'])

const index = (max: number) => fc.integer({ min: 0, max: max - 1 })
/** The next step; `course`, `person` and `lesson` are indexes within one run. */
const step = fc.record({
  kind: fc.constantFrom(
    'book',
    'book',
    'bookSelf',
    'bookSelf',
    'cancel',
    'cancelSelf',
    'move',
    'places',
    'places',
    'venue',
    'cancelLesson',
    'restoreLesson',
    'moveLesson',
    'addLesson',
    'cancelCourse',
    'restoreCourse',
    'confirm',
    'copy',
    'remove',
    'merge',
    'message',
    'import',
    'import',
  ),
  course: index(3),
  other: index(3),
  person: index(5),
  lesson: index(4),
  number: index(5),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function createWorld() {
  const { id: seasonId } = await insertSeason(server.db, { shortcut: 'A' })
  const { id: categoryId } = await insertCategory(server.db)
  const { email } = await insertInstructor(server.db)
  const courses: number[] = []
  for (const day of [5, 6, 8]) {
    const dates = [0, 7, 14].map(more => `${dateFromNow(day + more)} 18:00`)
    const more = { seasonId, categoryId, startsOn: dateFromNow(day), endsOn: dateFromNow(day + 14), dates, capacity: 2 }
    courses.push((await insertCourse(server.db, { ...more, hasOwnDates: true, instructorEmails: [email] })).id)
  }
  const people = []
  for (let i = 0; i < 5; i++) people.push(await insertUserWithSession(server.db))
  const gone = new Set<number>()
  return { seasonId, categoryId, courses, people, gone, copies: 0 }
}
type World = Awaited<ReturnType<typeof createWorld>>

/** An import of one course: other texts, times or venues, and its lessons unchanged, cancelled or moved. */
async function toImport(world: World, { course, lesson, number }: Step): Promise<TestAct> {
  const courseId = pick(world.courses, course)
  const stored = await server.db.maybeOne<{ number: string; starts: string; dates: string[] }>(sql`
    select number, starts_on as starts,
      array(select to_char(held_at, 'YYYY-MM-DD HH24:MI') from course_dates d where course_id = c.id order by held_at) as dates
    from courses c where id = ${courseId}`)
  const { number: name, starts, dates } = stored ?? { number: `neu-${courseId}`, starts: dateFromNow(9), dates: [] }
  const columns = `${COURSE_HEADER},venue,cancelled`
  const cancelled = ['', '', 'false', 'true'][lesson]
  const rows = dates.map(
    (at, index) => `${name},${at},${index === lesson ? 'cancelled' : ''},${number % 3 ? '' : 'neu'}`,
  )
  const zip = new ZipFile()
  const files = {
    'courses.csv': `${columns}\n${name},${world.seasonId},${world.categoryId},Kurs ${number},${starts},${dateFromNow(40)},1${number}:00,21:00,${1 + number},Saal ${number},${cancelled}\n`,
    ...(number % 2 && { 'course-dates.csv': `courseNumber,date,state,note\n${rows.join('\n')}\n` }),
  }
  for (const [file, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), file)
  zip.end()
  const fileId = await insertUpload(
    server.db,
    { webUserId: office.id, right: 'programme' },
    {
      name: 'p.zip',
      mediaType: 'application/zip',
      content: await buffer(zip.outputStream),
    },
  )
  return { kind: 'import-programme', fileId, reason: 'so gewollt' }
}

/** An export of the season is exported identically after an import into an empty portal. */
async function expectSameBytes({ seasonId }: World): Promise<void> {
  const folder = await createTestFolder()
  const empty = await createTestDatabase()
  try {
    const first = await buffer(await zipProgramme(server.db, seasonId))
    await folder.unzip(first)
    const outcome = await importProgramme(empty.db, { folder: folder.path, region: 'DE-NI' })
    expect(outcome).toMatchObject({ isDone: true })
    const second = await buffer(await zipProgramme(empty.db, null))
    expect(second.equals(first)).toBe(true)
  } finally {
    await empty.close()
    await folder.remove()
  }
}

const pick = <One>(list: readonly One[], at: number): One => list[at % list.length] as One

const MORNING = { startTime: '08:00', endTime: '09:00' }
const EVENING = { startTime: '18:00', endTime: '19:00' }

async function toAct(world: World, next: Step): Promise<TestAct | null> {
  const { kind, course, other, person, lesson, number } = next
  const courseId = pick(world.courses, course)
  const webUserId = pick(world.people, person).id
  const lessons = await server.db.query<{ id: number }>(sql`
    select id from course_dates where course_id = ${courseId} order by id`)
  const courseDateId = lessons[lesson % Math.max(lessons.length, 1)]?.id ?? 1
  const reason = 'so gewollt'
  switch (kind) {
    case 'book':
      return { kind: 'book', courseId, webUserId, reason }
    case 'cancel':
      return { kind: 'cancel-booking', courseId, webUserId, charge: number % 2 ? 'full' : 'none', reason }
    case 'move':
      return { kind: 'move-booking', fromCourseId: courseId, toCourseId: pick(world.courses, other), webUserId, reason }
    case 'places':
      return { kind: 'change-course', courseId, participants: number, reason }
    case 'venue':
      return {
        kind: 'change-course',
        courseId,
        venue: `Halle ${number}`,
        startTime: `1${number}:00`,
        endTime: '20:00',
        reason,
      }
    case 'cancelLesson':
      return { kind: 'cancel-lesson', courseDateId, reason }
    case 'restoreLesson':
      return { kind: 'restore-lesson', courseDateId, reason }
    case 'moveLesson':
      return { kind: 'change-lesson', courseDateId, date: dateFromNow(5 + number), ...MORNING, reason }
    case 'addLesson':
      return { kind: 'add-lesson', courseId, date: dateFromNow(20 + number), ...EVENING, reason }
    case 'cancelCourse':
      return { kind: 'cancel-course', courseId, note: 'krank' }
    case 'restoreCourse':
      return { kind: 'restore-course', courseId }
    case 'confirm':
      return { kind: number % 2 ? 'confirm-course' : 'unconfirm-course', courseId }
    case 'copy': {
      world.copies += 1
      const more = { startsAt: '2100-01-10', endsAt: '2100-03-10', bookableFrom: '2100-01-01T08:00' }
      const shortcut = `${world.seasonId}-${world.copies}`
      return {
        kind: 'copy-season',
        seasonId: world.seasonId,
        name: 'Kopie',
        shortcut,
        viewableFrom: '2100-01-01T08:00',
        ...more,
      }
    }
    case 'remove':
      return { kind: 'remove', what: number % 2 ? 'lesson' : 'course', id: number % 2 ? courseDateId : courseId }
    case 'merge': {
      const into = pick(world.people, person + 1).id
      return number === 0 ? { kind: 'merge-people', webUserId, intoWebUserId: into } : null
    }
    case 'import':
      return toImport(world, next)
    case 'message':
      return { kind: 'send-message', to: 'course', id: courseId, title: 'Hallo', mail: number % 2 === 0 }
    default:
      return null
  }
}

/** The comparable part of a response: a created course has a different id each time, also in a preview. */
const saying = ({ status, consequences, message }: ActResponse, known: ReadonlySet<number>) => {
  const clashes = consequences.clashes.map(clash => ({
    ...clash,
    courseId: known.has(clash.courseId) && clash.courseId,
  }))
  // Success is worded differently in a preview.
  return { status, consequences: { ...consequences, clashes }, ...(status !== 'Ok' && { message }) }
}
const courseIds = async () =>
  new Set((await server.db.query<{ id: number }>(sql`select id from courses`)).map(({ id }) => id))
const countLines = async () => (await server.db.one<{ count: number }>(sql`select count(*) from office_record`)).count

/** Lists courses with gaps or duplicates in the order, free seats despite waiting people, or wrong counters. */
const listBroken = () =>
  server.db.query(sql`
    select c.id, c.taken, c.capacity, b.count, b.booked, b.waiting
    from courses c cross join lateral (
      select count(*) as count, count(*) filter (where state = 1) as booked, count(*) filter (where state = 2) as waiting,
        coalesce(max(seq) filter (where state = 1), 0) as last_booked, coalesce(min(seq) filter (where state = 2), 2147483647) as first_waiting
      from bookings where course_id = c.id and cancelled_at is null) b
    where b.count <> c.taken or b.booked <> least(c.taken, c.capacity) or b.last_booked > b.first_waiting
      or (c.cancelled_at is not null and b.count > 0)`)

async function take(world: World, next: Step): Promise<void> {
  if (next.kind === 'bookSelf' || next.kind === 'cancelSelf') {
    const { token } = pick(world.people, next.person)
    const call = next.kind === 'bookSelf' ? bookCourse : cancelCourse
    await server.request(call, { body: { id: pick(world.courses, next.course) }, token })
    return
  }
  const act = await toAct(world, next)
  if (act === null) return
  const [lines, known] = [await countLines(), await courseIds()]
  const preview = await office.act({ ...act, preview: true })
  expect(await countLines(), 'a preview leaves no line').toBe(lines)
  const done = await office.act(act)
  expect(saying(done, known), JSON.stringify(act)).toEqual(saying(preview, known))
  expect(await countLines(), 'one line for each act that was done').toBe(lines + (done.status === 'Ok' ? 1 : 0))
}

test('after any sequence of actions, previews are accurate and all invariants hold', {
  timeout: RUNS * 60_000,
}, async () => {
  const check = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async steps => {
    const world = await createWorld()
    for (const next of steps) {
      await take(world, next)
      expect(await listBroken(), JSON.stringify(next)).toEqual([])
    }
    expect((await auditPortal(server.db)).findings).toEqual([])
    await expectSameBytes(world)
  })
  await fc.assert(check, { numRuns: RUNS, endOnFailure: true, ...(SEED !== undefined && { seed: SEED }) })
})
