import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { completeInput } from '#contract/test/profiles.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { type Database, openDatabase, sql } from '#server/platform/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
} from './factories.ts'
import { acknowledge, createLoadClient, type LoadClient } from './load-client.ts'
import { compareMails, compareRows } from './load-comparison.ts'
import { createLedger, type LoadLedger } from './load-ledger.ts'
import { createOfficeWork, insertOfficeScene, TAMPERED_OFFICE_ROWS } from './load-office.ts'
import type { ReceivedMail } from './mail-server.ts'

const PEOPLE = 60
const COURSES = 300
const TICKED = 15
const LANES = 10
const TICKERS = 2
/** A registration takes as long as a hundred bookings, mainly because of its password. */
const REGISTRATION_PAUSE_MS = 300
/**
 * Half of the number of changes per person and hour that the portal allows; the rest is reserved for calls without a
 * response.
 */
const MAX_CHANGES = 5

export type Connection = string | { host: string; user: string; database: string }

export type Load = Omit<LoadClient, 'call'> & {
  /** Stops sending calls until `resume`, and waits for calls in progress. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
  /**
   * Compares the ledger with the rows, then runs the audit. Must be called while paused. @returns one line for each
   * difference
   */
  compare(): Promise<string[]>
  /** Starts recording the values that a copy made between now and `end` may contain. */
  observe(): { end(): void; compareWith(connection: Connection): Promise<string[]> }
  /** Returns the longest time in ms without an acknowledged booking since this function was last called. */
  takeLongestGap(): number
  /** Uses another database for comparisons from now on. */
  moveTo(connection: Connection): Promise<void>
  /** Waits at most `patienceMs` until every e-mail has been sent, and compares sent e-mails with received ones. */
  compareMails(mails: ReceivedMail[], patienceMs: number): Promise<{ findings: string[]; sent: number; twice: number }>
  /** Changes a row directly in the database. */
  tamper(kind: Tampering): Promise<void>
  close(): Promise<void>
}

export const TAMPERINGS = ['cancel', 'delete', 'tick', 'registration', 'mail', 'entry', 'closure', 'message'] as const
export type Tampering = (typeof TAMPERINGS)[number]

const openAt = (at: Connection): Database =>
  openDatabase({
    connection: typeof at === 'string' ? { connectionString: at } : at,
    timeZone: 'Europe/Berlin',
    poolSize: 4,
  })

type Scene = Awaited<ReturnType<typeof insertScene>>

/** Inserts people, courses to book, and a lesson with people whose attendance is recorded. */
async function insertScene(db: Database) {
  const instructor = await insertInstructorWithSession(db)
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => insertUserWithSession(db)))
  const courses = await Promise.all(Array.from({ length: COURSES }, () => insertCourse(db, { capacity: 15 })))
  const dates = [`${dateFromNow(0)} 00:00:00`]
  const ticked = await insertCourse(db, { capacity: TICKED, dates, instructorEmails: [instructor.email] })
  for (const { id } of people.slice(0, TICKED)) await insertBooking(db, ticked.id, id)
  const { id: courseDateId } = await db.one<{ id: number }>(sql`
    select id from course_dates where course_id = ${ticked.id} limit 1`)
  return { instructor, people, courses, ticked, courseDateId }
}

/** People who book and cancel, in lanes whose people do not overlap. */
function createBookers({ people, courses }: Scene, ledger: LoadLedger, client: LoadClient, random: () => number) {
  let bookedAt = performance.now()
  let longestGap = 0
  const book = async (lane: number) => {
    const index = lane + LANES * Math.floor((random() * PEOPLE) / LANES)
    const person = people[index]
    // The first courses fill up soon; the last ones can be changed until the end.
    const course = courses[Math.floor(random() ** 2 * COURSES)]
    if (!person || !course) return
    const key = `booking ${course.id} ${person.id}`
    if (ledger.changesOf(key) >= MAX_CHANGES) return
    const isBooking = random() < 0.6
    const act = isBooking ? 'course/coursebooking' : 'course/coursecancel'
    const { entry, before } = ledger.attempt(key, 'none', isBooking ? 'active' : 'none')
    entry.changes += 1
    const answer = await client.call('PUT', act, person.token, { id: course.id })
    if (answer === 'nobody there') {
      entry.possible = before
      entry.changes -= 1
      await sleep(100)
    }
    if (answer === 'silent') entry.changes = Number.POSITIVE_INFINITY
    if (answer === null || typeof answer === 'string') return
    const isActive = answer.bookingStatus !== BOOKING_STATUS.NotBooked
    // Everyone receives a place or an entry on the waiting list.
    if (isBooking && !isActive) {
      client.counts.refused += 1
      client.faults.push(`${key} is refused: ${JSON.stringify(answer)}`)
    }
    acknowledge(client, entry, isActive ? 'active' : 'none')
    const now = performance.now()
    longestGap = Math.max(longestGap, now - bookedAt)
    bookedAt = now
  }
  return {
    book,
    takeLongestGap() {
      const gap = Math.max(longestGap, performance.now() - bookedAt)
      longestGap = 0
      bookedAt = performance.now()
      return gap
    },
  }
}

/** An instructor who records the attendance of a lesson, at several devices. */
const createTickers =
  ({ instructor, people, courseDateId }: Scene, ledger: LoadLedger, client: LoadClient, random: () => number) =>
  async (ticker: number) => {
    const index = ticker + TICKERS * Math.floor((random() * (TICKED - TICKERS)) / TICKERS)
    const person = people[index]
    if (!person) return
    const key = `presence ${courseDateId} ${person.id}`
    if (ledger.changesOf(key) === Number.POSITIVE_INFINITY) return
    const isPresent = random() < 0.5
    const { entry, before } = ledger.attempt(key, 'false', String(isPresent))
    const change = { changeState: isPresent ? 'added' : 'deleted', courseDateId, webUserId: person.id }
    const body = { ...change, changeId: randomUUID() }
    const answer = await client.call('POST', 'course/dates/participant/change', instructor.token, body)
    if (answer === 'nobody there') {
      entry.possible = before
      await sleep(100)
    } else if (answer === 'silent') entry.changes = Number.POSITIVE_INFINITY
    else if (answer?.status === 'Ok') acknowledge(client, entry, String(isPresent))
  }

/** People who register one after another. */
function createRegistrations(ledger: LoadLedger, client: LoadClient) {
  let registrations = 0
  /**
   * A registration without a response is sent again. It counts as the same registration and sends only one e-mail.
   */
  const register = async () => {
    const email = `kills-${registrations}@demo.example`
    const { entry } = ledger.attempt(`registration ${email}`, 'none', 'claimed')
    const answer = await client.call('PUT', 'webuser/register', '', { ...completeInput(2, 3), email })
    if (answer === null || typeof answer === 'string') return void (await sleep(100))
    if (answer.status !== 'Ok') throw new Error(`a registration is answered by ${JSON.stringify(answer)}`)
    acknowledge(client, entry, 'claimed')
    registrations += 1
    await sleep(REGISTRATION_PAUSE_MS)
  }
  return { register, lastEmail: () => `kills-${registrations - 1}@demo.example` }
}

/** Runs work in loops that can be paused together. */
function createLoops(random: () => number) {
  let isStopped = false
  let gate = Promise.resolve()
  let open = () => {}
  let underWay = 0
  const live = async (work: (number: number) => Promise<void>, number: number) => {
    while (!isStopped) {
      await gate
      underWay += 1
      await work(number).finally(() => {
        underWay -= 1
      })
      await sleep(50 + random() * 200)
    }
  }
  const lives: Promise<void>[] = []
  return {
    start: (count: number, work: (number: number) => Promise<void>) => {
      for (let number = 0; number < count; number++) lives.push(live(work, number))
    },
    async pause() {
      gate = new Promise(resolve => {
        open = resolve
      })
      while (underWay > 0) await sleep(10)
    },
    resume: () => open(),
    async stop() {
      isStopped = true
      open()
      await Promise.all(lives)
    },
  }
}

/** Changes a row directly in the database whose value is certain. */
async function tamper(db: Database, ledger: LoadLedger, lastEmail: string, kind: Tampering): Promise<void> {
  if (kind === 'mail')
    return void (await db.execute(sql`delete from mails where id = (select max(id) from mails where kind = 'booking')`))
  if (kind === 'registration')
    return void (await db.execute(sql`
      delete from web_users where email = ${lastEmail}`))
  if (kind === 'entry' || kind === 'closure' || kind === 'message')
    return void (await db.execute(TAMPERED_OFFICE_ROWS[kind](ledger.takeCertain(kind, 'once')[0])))
  const [thing, webUserId] =
    kind === 'tick' ? ledger.takeCertain('presence', 'true') : ledger.takeCertain('booking', 'active')
  const where = sql`course_id = ${thing} and web_user_id = ${webUserId} and cancelled_at is null`
  if (kind === 'cancel') await db.execute(sql`update bookings set cancelled_at = clock_timestamp() where ${where}`)
  if (kind === 'delete') await db.execute(sql`delete from bookings where ${where}`)
  if (kind === 'tick')
    await db.execute(sql`
      update attendances set is_present = false where course_date_id = ${thing} and web_user_id = ${webUserId}`)
}

/**
 * Starts a load of people who book, cancel, record attendance and register, and of the desk, with a ledger of all
 * responses.
 */
export async function startLoad(urls: string[], connection: Connection, random: () => number): Promise<Load> {
  let db = openAt(connection)
  const scene = await insertScene(db)
  const ledger = createLedger()
  const client = createLoadClient(urls)
  const bookers = createBookers(scene, ledger, client, random)
  const registrations = createRegistrations(ledger, client)
  const loops = createLoops(random)
  loops.start(LANES, bookers.book)
  loops.start(TICKERS, createTickers(scene, ledger, client, random))
  loops.start(1, registrations.register)
  loops.start(1, createOfficeWork(await insertOfficeScene(db), ledger, client))
  loops.start(1, async () => void (await client.call('GET', 'health', '')))

  return {
    ...client,
    pause: loops.pause,
    resume: loops.resume,
    stop: loops.stop,
    compare: () => compareRows(db, ledger.valuesNow(), scene.ticked.number),
    observe() {
      const { values, end } = ledger.observe()
      return {
        end,
        async compareWith(other) {
          const copy = openAt(other)
          return compareRows(copy, values, scene.ticked.number).finally(() => copy.close())
        },
      }
    },
    takeLongestGap: bookers.takeLongestGap,
    async moveTo(other) {
      await db.close()
      db = openAt(other)
    },
    compareMails: (mails, patienceMs) => compareMails(db, mails, patienceMs),
    tamper: kind => tamper(db, ledger, registrations.lastEmail(), kind),
    close: () => db.close(),
  }
}
