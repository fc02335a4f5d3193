import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { completeInput } from '#contract/test/profiles.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { auditPortal } from '#server/audit/audit.ts'
import { type Database, isUnavailable, openDatabase, sql } from '#server/db/client.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertInstructorWithSession,
  insertUserWithSession,
} from './factories.ts'
import type { ReceivedMail } from './mail-server.ts'

const PEOPLE = 60
const COURSES = 300
const TICKED = 15
const LANES = 10
const TICKERS = 2
/** A registration takes as long as a hundred bookings, mainly because of its password. */
const REGISTRATION_PAUSE_MS = 300
/** A call without a response for this time counts as silent. */
const SILENT_MS = 8_000
/**
 * Half of the number of changes per person and hour that the portal allows; the rest is reserved for calls without a
 * response.
 */
const MAX_CHANGES = 5

/**
 * Possible values of a row: one after an acknowledged call, several after a call without a response. `changes` is
 * infinite after a silent call, which may still be executed after later ones.
 */
type Entry = { possible: Set<string>; changes: number }
type Values = Map<string, Set<string>>
export type Connection = string | { host: string; user: string; database: string }

export type Load = {
  /**
   * acknowledged, rejected by a rule, 503 with and without Retry-After, other 5xx, no response within 8 s, connection
   * lost, connection refused
   */
  counts: Record<'ok' | 'refused' | 'unavailable' | 'unnamed' | 'fault' | 'silent' | 'unknown' | 'unreached', number>
  /** one line for each silent call, with the longest delay of this process's event loop during the call */
  silences: string[]
  /** one line for each response that must not occur: other 5xx, 503 without Retry-After, rejected by a rule */
  faults: string[]
  /** times of the call that was acknowledged last, by performance.now() */
  lastOk(): { begunAt: number; at: number }
  /** longest time in ms that a call waited for a 503 since this function was last called */
  takeSlowestRefusal(): number
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

export const TAMPERINGS = ['cancel', 'delete', 'tick', 'registration', 'mail'] as const
export type Tampering = (typeof TAMPERINGS)[number]

/** Starts a load of people who book, cancel, record attendance and register, with a ledger of all responses. */
export async function startLoad(urls: string[], connection: Connection, random: () => number): Promise<Load> {
  const openAt = (at: Connection): Database =>
    openDatabase({
      connection: typeof at === 'string' ? { connectionString: at } : at,
      timeZone: 'Europe/Berlin',
      poolSize: 4,
    })
  let db = openAt(connection)
  const instructor = await insertInstructorWithSession(db)
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => insertUserWithSession(db)))
  const courses = await Promise.all(Array.from({ length: COURSES }, () => insertCourse(db, { capacity: 15 })))
  const dates = [`${dateFromNow(0)} 00:00:00`]
  const ticked = await insertCourse(db, { capacity: TICKED, dates, instructorEmails: [instructor.email] })
  for (const { id } of people.slice(0, TICKED)) await insertBooking(db, ticked.id, id)
  const { id: courseDateId } = await db.one<{ id: number }>(sql`
    select id from course_dates where course_id = ${ticked.id} limit 1`)

  const ledger = new Map<string, Entry>()
  const counts: Load['counts'] = {
    ok: 0,
    refused: 0,
    unavailable: 0,
    unnamed: 0,
    fault: 0,
    silent: 0,
    unknown: 0,
    unreached: 0,
  }
  const silences: string[] = []
  const faults: string[] = []
  const observed = new Set<Values>()
  let bookedAt = performance.now()
  let longestGap = 0
  let lastOk = { begunAt: 0, at: 0 }
  let slowestRefusal = 0
  let refusalsFrom = 0
  let isStopped = false
  let gate = Promise.resolve()
  let open = () => {}
  let underWay = 0
  let portal = 0

  /** Records that `value` may be stored from now on. */
  const attempt = (key: string, first: string, value: string) => {
    const entry = ledger.get(key) ?? { possible: new Set([first]), changes: 0 }
    ledger.set(key, entry)
    const before = entry.possible
    entry.possible = new Set([...before, value])
    for (const values of observed) values.set(key, (values.get(key) ?? new Set(before)).add(value))
    return { entry, before }
  }

  /** @returns the response if its status is 200; null or 'silent' if it is unknown whether the call was executed */
  const call = async (method: string, path: string, token: string, body?: object) => {
    portal += 1
    // Without a session, cookie and header prove that the call comes from the portal's own pages.
    const pair = { Cookie: 'XSRF-TOKEN=kills', 'X-XSRF-TOKEN': 'kills' }
    const headers = { SessionToken: token, 'Content-Type': 'application/json', ...pair }
    const signal = AbortSignal.timeout(SILENT_MS)
    const delay = monitorEventLoopDelay({ resolution: 20 })
    delay.enable()
    const startedAt = performance.now()
    try {
      const url = `${urls[portal % urls.length]}/api/${path}`
      const response = await fetch(url, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Record<string, unknown>
      if (response.status === 200) {
        if (body) lastOk = { begunAt: startedAt, at: performance.now() }
        return answer
      }
      const isNamed = response.status === 503 && response.headers.has('Retry-After')
      if (!isNamed) faults.push(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      if (response.status === 503) {
        counts[isNamed ? 'unavailable' : 'unnamed'] += 1
        slowestRefusal = Math.max(slowestRefusal, performance.now() - Math.max(startedAt, refusalsFrom))
      } else counts[response.status >= 500 ? 'fault' : 'refused'] += 1
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code === 'ECONNREFUSED') {
        counts.unreached += 1
        return 'nobody there'
      }
      if (signal.aborted) {
        counts.silent += 1
        const delayMs = Math.round(delay.max / 1e6)
        const pressure = await readFile('/proc/pressure/cpu', 'utf8').catch(() => '')
        silences.push(
          `${new Date().toISOString().slice(11, 19)} ${method} ${path}: no answer for ${SILENT_MS} ms, event loop delayed by ${delayMs} ms, processor: ${pressure.split('\n')[0]}, load ${loadavg()[0]}`,
        )
        return 'silent'
      }
      counts.unknown += 1
    } finally {
      delay.disable()
    }
    await sleep(100)
    return null
  }
  const acknowledge = (entry: Entry, value: string) => {
    entry.possible = new Set([value])
    counts.ok += 1
  }

  const book = async (lane: number) => {
    const index = lane + LANES * Math.floor((random() * PEOPLE) / LANES)
    const person = people[index]
    // The first courses fill up soon; the last ones can be changed until the end.
    const course = courses[Math.floor(random() ** 2 * COURSES)]
    if (!person || !course) return
    const key = `booking ${course.id} ${person.id}`
    if ((ledger.get(key)?.changes ?? 0) >= MAX_CHANGES) return
    const isBooking = random() < 0.6
    const act = isBooking ? 'course/coursebooking' : 'course/coursecancel'
    const { entry, before } = attempt(key, 'none', isBooking ? 'active' : 'none')
    entry.changes += 1
    const answer = await call('PUT', act, person.token, { id: course.id })
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
      counts.refused += 1
      faults.push(`${key} is refused: ${JSON.stringify(answer)}`)
    }
    acknowledge(entry, isActive ? 'active' : 'none')
    const now = performance.now()
    longestGap = Math.max(longestGap, now - bookedAt)
    bookedAt = now
  }
  const tick = async (ticker: number) => {
    const index = ticker + TICKERS * Math.floor((random() * (TICKED - TICKERS)) / TICKERS)
    const person = people[index]
    if (!person) return
    const key = `presence ${courseDateId} ${person.id}`
    if (ledger.get(key)?.changes === Number.POSITIVE_INFINITY) return
    const isPresent = random() < 0.5
    const { entry, before } = attempt(key, 'false', String(isPresent))
    const change = { changeState: isPresent ? 'added' : 'deleted', courseDateId, webUserId: person.id }
    const body = { ...change, changeId: randomUUID() }
    const answer = await call('POST', 'course/dates/participant/change', instructor.token, body)
    if (answer === 'nobody there') {
      entry.possible = before
      await sleep(100)
    } else if (answer === 'silent') entry.changes = Number.POSITIVE_INFINITY
    else if (answer?.status === 'Ok') acknowledge(entry, String(isPresent))
  }
  let registrations = 0
  /**
   * A registration without a response is sent again. It counts as the same registration and sends only one e-mail.
   */
  const register = async () => {
    const email = `kills-${registrations}@demo.example`
    const { entry } = attempt(`registration ${email}`, 'none', 'claimed')
    const answer = await call('PUT', 'webuser/register', '', { ...completeInput(2, 3), email })
    if (answer === null || typeof answer === 'string') return void (await sleep(100))
    if (answer.status !== 'Ok') throw new Error(`a registration is answered by ${JSON.stringify(answer)}`)
    acknowledge(entry, 'claimed')
    registrations += 1
    await sleep(REGISTRATION_PAUSE_MS)
  }
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
  const lives = [
    ...Array.from({ length: LANES }, (_, lane) => live(book, lane)),
    ...Array.from({ length: TICKERS }, (_, ticker) => live(tick, ticker)),
    live(register, 0),
    live(async () => void (await call('GET', 'health', '')), 0),
  ]

  /** Retries while the database is still starting. */
  const patiently = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    const deadline = Date.now() + 60_000
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!isUnavailable(error) || Date.now() > deadline) throw error
        await sleep(200)
      }
    }
  }

  const rowsOf = async (from: Database) => {
    const bookings = await from.query<{ key: string }>(sql`
      select 'booking ' || course_id || ' ' || web_user_id as key from bookings where cancelled_at is null`)
    const presences = await from.query<{ key: string; value: string }>(sql`
      select 'presence ' || course_date_id || ' ' || web_user_id as key, is_present::text as value from attendances`)
    const registered = await from.query<{ key: string; state: string }>(sql`
      select 'registration ' || email as key, state from web_users where email like 'kills-%'`)
    return new Map([
      ...registered.map(({ key, state }) => [key, state] as const),
      ...bookings.map(({ key }) => [key, 'active'] as const),
      ...presences.map(({ key, value }) => [key, value] as const),
    ])
  }
  /** Lists registrations that did not send exactly one e-mail. */
  const listUnequal = (from: Database) =>
    from.query<{ email: string; mails: number }>(sql`
      select email, count(m.id)::int as mails from web_users u left join mails m on m.web_user_id = u.id and m.kind = 'activation'
      where email like 'kills-%' group by email having count(m.id) <> 1`)
  const compareRows = async (from: Database, expected: Values) => {
    const rows = await patiently(() => rowsOf(from))
    const differences = [...expected].flatMap(([key, possible]) => {
      const actual = rows.get(key) ?? (key.startsWith('presence') ? 'false' : 'none')
      return possible.has(actual) ? [] : [`${key} is ${actual}, acknowledged was ${[...possible].join(' or ')}`]
    })
    const unequal = await patiently(() => listUnequal(from))
    const doubled = unequal.map(({ email, mails }) => `registration ${email} has ${mails} mails`)
    // The people with attendance were inserted into this course directly, so there are no e-mails about their bookings.
    const isExpected = (finding: string) =>
      finding.startsWith(`course ${ticked.number},`) && finding.includes('mails about')
    const audit = await patiently(() => auditPortal(from))
    return [...differences, ...doubled, ...audit.findings.filter(finding => !isExpected(finding))]
  }
  const valuesNow = (): Values => new Map([...ledger].map(([key, { possible }]) => [key, new Set(possible)]))
  const tampered = new Set<string>()
  const takeCertain = (kind: string, value: string) => {
    const isCertain = ([key, { possible }]: [string, Entry]) =>
      key.startsWith(kind) && possible.size === 1 && possible.has(value) && !tampered.has(key)
    const [key] = [...ledger].find(isCertain) ?? []
    if (!key) throw new Error(`the ledger knows no ${kind} that is surely ${value}`)
    tampered.add(key)
    return key.split(' ').slice(1).map(Number) as [number, number]
  }

  return {
    counts,
    silences,
    faults,
    lastOk: () => lastOk,
    takeSlowestRefusal() {
      const slowest = slowestRefusal
      slowestRefusal = 0
      refusalsFrom = performance.now()
      return slowest
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
    compare: () => compareRows(db, valuesNow()),
    observe() {
      const values = valuesNow()
      observed.add(values)
      return {
        end: () => void observed.delete(values),
        async compareWith(other) {
          const copy = openAt(other)
          return compareRows(copy, values).finally(() => copy.close())
        },
      }
    },
    takeLongestGap() {
      const gap = Math.max(longestGap, performance.now() - bookedAt)
      longestGap = 0
      bookedAt = performance.now()
      return gap
    },
    async moveTo(other) {
      await db.close()
      db = openAt(other)
    },
    async compareMails(mails, patienceMs) {
      const deadline = Date.now() + patienceMs
      const count = () =>
        db.one<{ all: number; waiting: number }>(sql`
          select count(*)::int as all, (count(*) filter (where sent_at is null))::int as waiting from mails`)
      while ((await patiently(count)).waiting > 0 && Date.now() < deadline) await sleep(200)
      const { all, waiting } = await patiently(count)
      const arrived = new Set(mails.map(({ messageId }) => messageId)).size
      const findings = [
        ...(waiting > 0 && patienceMs > 0 ? [`${waiting} mails have not left`] : []),
        ...(arrived < all - waiting ? [`${all - waiting - arrived} mails never arrived`] : []),
      ]
      return { findings, sent: all, twice: mails.length - arrived }
    },
    async tamper(kind) {
      if (kind === 'mail')
        return void (await db.execute(
          sql`delete from mails where id = (select max(id) from mails where kind = 'booking')`,
        ))
      if (kind === 'registration')
        return void (await db.execute(sql`
          delete from web_users where email = ${`kills-${registrations - 1}@demo.example`}`))
      const [thing, webUserId] = kind === 'tick' ? takeCertain('presence', 'true') : takeCertain('booking', 'active')
      const where = sql`course_id = ${thing} and web_user_id = ${webUserId} and cancelled_at is null`
      if (kind === 'cancel') await db.execute(sql`update bookings set cancelled_at = clock_timestamp() where ${where}`)
      if (kind === 'delete') await db.execute(sql`delete from bookings where ${where}`)
      if (kind === 'tick')
        await db.execute(sql`
          update attendances set is_present = false where course_date_id = ${thing} and web_user_id = ${webUserId}`)
    },
    close: () => db.close(),
  }
}
