import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { startPortal, stopPortals } from '../server/test/portal.ts'
import { megabytesOf, percentile } from './programmes.ts'
import { report } from './report.ts'

/**
 * node bench/opening.ts [--rounds N] [--connections N] [--processes N] [--rush] [--kills] [--desk]
 *
 * The opening second: bookings that succeed, beside two floors of the same run on the same PostgreSQL: pgbench with one
 * prepared statement, and Node's own server with that statement and no rule (bench/bare-server.ts). Read the ratios.
 * --rush: instead of it, 10,000 people with a connection each want 100 courses of 20 places; then 10,000 externals, who may not
 * wait. --kills: the same with two processes, of which one is killed again and again, every tenth person asking twice and one
 * answer in twenty thrown away. --desk: what the desk's triggers (letters, webhooks) cost a booking, with and without in turns.
 */
const { values } = parseArgs({
  options: {
    rush: { type: 'boolean', default: false },
    kills: { type: 'boolean', default: false },
    desk: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
  },
})
const ROUNDS = Number(values.rounds)
const CONNECTIONS = Number(values.connections)
const PEOPLE = 2_000
const COURSES = 200
const PGBENCH_S = 3
const IDLE_MS = 20_000
const run = promisify(execFile)
const pgbench = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find(existsSync)

const dataDir = await mkdtemp(join(tmpdir(), 'opening-'))
const host = join(dataDir, 'postgres')
process.on('exit', () => void stopPortals())
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1))
const processes = values.kills ? '2' : values.processes
const portal = startPortal({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PROCESSES: processes })
const url = await portal.url()
const db = new pg.Pool({ host, user: 'portal', database: 'postgres', options: '-c TimeZone=Europe/Berlin' })
/** @returns the first column of each row */
const listOf = async <Value>(text: string, values: unknown[] = []): Promise<Value[]> =>
  (await db.query({ text, values, rowMode: 'array' })).rows.map(([value]) => value as Value)

await db.query(`
  insert into seasons (id, name, name2, bookable_from, viewable_from, starts_at, ends_at)
  values (1, 'Saison', 'Season', now() - interval '7 days', now() - interval '14 days', current_date - 7, current_date + 90);
  insert into categories (id, name, name2, icon) values (1, 'Kategorie', 'Category', 'fitness');
  create table bare_courses as select id, 0 as taken, 0 as seq from generate_series(1, ${COURSES}) id;
  alter table bare_courses add primary key (id);
  create table bare_bookings (id serial primary key, course_id int, web_user_id int, seq int, unique (course_id, seq))`)

type Crowd = { people: number; courses: number; capacity: number; employeeStatus: number }

/** Fresh people with a session each, and fresh courses. */
async function prepare(name: string, crowd: Crowd): Promise<{ tokens: string[]; courseIds: number[] }> {
  const tokens = await listOf<string>(
    `with people as (
      insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at)
      select 'rush-' || $1::text || '-' || n || '@bench.example', 'Kim', 'Muster', $3::int, 1980, now()
      from generate_series(1, $2::int) n returning id
    ), started as (
      insert into sessions (token_hash, web_user_id, is_kept, expires_at)
      select sha256(convert_to('token-' || id, 'UTF8')), id, false, now() + interval '1 day' from people
    )
    select 'token-' || id from people`,
    [name, crowd.people, crowd.employeeStatus],
  )
  const courseIds = await listOf<number>(
    `insert into courses (number, name, name2, day, start_time, end_time, capacity, season_id, category_id, starts_on, ends_on, opens_at, closes_at)
    select 'R' || $1::text || '-' || n, 'Kurs ' || n, 'Course ' || n, 1, '18:00', '19:00', $2::int, 1, 1,
      current_date + 7, current_date + 21, now() - interval '1 day', now() + interval '20 days'
    from generate_series(1, $3::int) n returning id`,
    [name, crowd.capacity, crowd.courses],
  )
  await db.query(
    `insert into course_dates (course_id, held_at)
    select id, current_date + 7 * week + time '18:00' from unnest($1::int[]) id, generate_series(1, 3) week`,
    [courseIds],
  )
  await db.query('update programme set revision = revision + 1')
  return { tokens, courseIds }
}

/** All people book over so many connections. @returns ms until each answer, and how they were answered */
async function book(address: string, tokens: string[], courseOf: (index: number) => number, connections = CONNECTIONS) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const answers = { booked: 0, waiting: 0, refused: 0, failed: 0 }
  const startedAt = performance.now()
  const one = (token: string, index: number) =>
    new Promise<void>((resolve, reject) => {
      const body = JSON.stringify({ id: courseOf(index) })
      const headers = {
        SessionToken: token,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'Accept-Encoding': 'br',
      }
      const sent = request(`${address}/api/course/coursebooking`, { method: 'PUT', agent, headers }, response => {
        let text = ''
        response.setEncoding('latin1').on('data', chunk => {
          text += chunk
        })
        response.on('end', () => {
          times.push(performance.now() - startedAt)
          if (response.statusCode !== 200) answers.failed += 1
          else if (text.includes('"bookingStatus":2')) answers.waiting += 1
          else if (text.includes('"Failed"')) answers.refused += 1
          else answers.booked += 1
          resolve()
        })
      })
      sent.on('error', error =>
        reject(
          new Error(
            `${address === url ? 'the portal' : 'bare Node'} after ${times.length} answers and ${fixed(performance.now() - startedAt, 0)} ms`,
            { cause: error },
          ),
        ),
      )
      sent.end(body)
    })
  await Promise.all(tokens.map(one))
  agent.destroy()
  const seconds = (performance.now() - startedAt) / 1000
  return { seconds, perSecond: (answers.booked + answers.waiting) / seconds, answers, times }
}

async function raw(): Promise<number> {
  if (!pgbench) return Number.NaN
  const script = join(dataDir, 'raw.sql')
  await writeFile(
    script,
    `\\set course random(1, ${COURSES})
\\set person random(1, ${PEOPLE})
with course as (update bare_courses set taken = taken + 1, seq = seq + 1 where id = :course returning id, seq)
insert into bare_bookings (course_id, web_user_id, seq) select id, :person, seq from course;
`,
  )
  const args = ['-n', '-M', 'prepared', '-c', '16', '-j', '2', '-T', String(PGBENCH_S), '-f', script]
  const { stdout } = await run(pgbench, [...args, '-h', host, '-U', 'portal', 'postgres'])
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

const KILL_EVERY_MS = 6_000
/** So many people have to be told between two kills: on a machine so busy that nobody is back in time, none would ever be there. */
const TOLD_BETWEEN_KILLS = 50
/** Longer than a portal lets anybody wait. */
const LOST_AFTER_MS = 30_000
const FIRST_KILL_MS = 300
const INSIST_MS = 200
const MOST_ASKS = 300

type Told = { bookingStatus: number; waitingListPosition: number; status: string }

/** One call over a connection of its own. @returns null when the answer was lost */
async function ask(token: string, id: number): Promise<Told | null> {
  const headers = { SessionToken: token, 'Content-Type': 'application/json', Connection: 'close' }
  const init = { method: 'PUT', headers, body: JSON.stringify({ id }), signal: AbortSignal.timeout(LOST_AFTER_MS) }
  const response = await fetch(`${url}/api/course/coursebooking`, init).catch(() => null)
  if (response === null) return null
  if (response.status !== 200) throw new Error(`answered by ${response.status}`)
  return response.json().catch(() => null)
}

/** Asks until told. */
async function insist(token: string, id: number): Promise<Told> {
  for (let asked = 1; ; asked += 1) {
    const told = await ask(token, id)
    if (told !== null && (asked > 1 || Math.random() > 1 / 20)) return told
    if (asked === MOST_ASKS) throw new Error('nobody answers')
    await sleep(INSIST_MS)
  }
}

/** What people were told, held against the rows. @returns a line for each difference */
async function compare(told: Map<string, Told>): Promise<string[]> {
  const { rows } = await db.query(`
    select 'token-' || b.web_user_id as token, b.state as "bookingStatus", case b.state when 2 then (
      select count(*)::int from bookings w where w.course_id = b.course_id and w.state = 2 and w.seq <= b.seq) else 0 end as position
    from bookings b where cancelled_at is null`)
  const kept = new Map(rows.map(row => [row.token, row]))
  return [...told].flatMap(([token, { bookingStatus, waitingListPosition }]) => {
    const row = kept.get(token)
    const isKept = row?.bookingStatus === bookingStatus && row.position === waitingListPosition
    return isKept ? [] : [`${token} was told ${bookingStatus}, ${waitingListPosition} and has ${JSON.stringify(row)}`]
  })
}

async function measureKills(): Promise<void> {
  const crowd = { people: 2_000, courses: 20, capacity: 20, employeeStatus: 1 }
  const { tokens, courseIds } = await prepare('kills', crowd)
  const courseOf = (index: number) => courseIds[index % crowd.courses] ?? 0
  let isOver = false
  let kills = 0
  let toldBefore = -TOLD_BETWEEN_KILLS
  const told = new Map<string, Told>()
  const killing = (async () => {
    for (let pause = FIRST_KILL_MS; !isOver; pause = KILL_EVERY_MS) {
      await sleep(pause)
      if (told.size - toldBefore < TOLD_BETWEEN_KILLS) continue
      toldBefore = told.size
      const { stdout } = await run('pgrep', ['-P', String(portal.pid), '-f', 'start.mjs worker']).catch(() => ({
        stdout: '',
      }))
      const [pid] = stdout.split('\n').filter(Boolean)
      if (!pid || isOver) continue
      try {
        process.kill(Number(pid), 'SIGKILL')
        kills += 1
      } catch {
        // It has just ended.
      }
    }
  })()
  const faults: string[] = []
  const work = tokens.entries()
  const lane = async () => {
    for (const [index, token] of work) {
      const asks =
        index % 10 === 0
          ? [insist(token, courseOf(index)), insist(token, courseOf(index))]
          : [insist(token, courseOf(index))]
      const [first, second = first] = await Promise.all(asks)
      if (first?.status === 'Ok') told.set(token, first)
      else faults.push(`${token} was told ${JSON.stringify(first)}`)
      if (first?.bookingStatus !== second?.bookingStatus || first?.waitingListPosition !== second?.waitingListPosition)
        faults.push(`${token} was told two things`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  isOver = true
  await killing
  faults.push(...(await compare(told)))
  const [over] = await listOf<number>(
    'select count(*)::int from (select from bookings where state = 1 group by course_id having count(*) > $1::int) x',
    [crowd.capacity],
  )
  for (const fault of faults.slice(0, 10)) console.log(fault)
  report({ what: 'rush with kills: processes killed', figure: kills, unit: 'of two in turns', limit: { atLeast: 1 } })
  report({
    what: '… acknowledged and lost, or told otherwise',
    figure: faults.length,
    unit: `of ${told.size}`,
    limit: { atMost: 0 },
  })
  report({ what: '… courses with too many places', figure: over ?? 0, unit: '', limit: { atMost: 0 } })
  await db.query('delete from bookings where id = (select max(id) from bookings)')
  const seen = (await compare(told)).length
  report({
    what: '… negative control: one row taken away is seen',
    figure: seen,
    unit: 'differences',
    limit: { atLeast: 1 },
  })
}

const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), host], { stdio: 'pipe' })
bare.stderr.pipe(process.stderr)
const [port] = await once(bare.stdout.setEncoding('utf8'), 'data')
const bareUrl = `http://127.0.0.1:${String(port).trim()}`
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const named = processes === '1' ? 'one process' : `${processes} processes`
const fixed = (number: number, digits = 3) => number.toFixed(digits)

async function measureRates(): Promise<void> {
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const rounds: { raw: number; bare: number; portal: number }[] = []
  // The first round warms up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    // The mails of the round before would cost the floors as much.
    await db.query('delete from mails')
    const { tokens, courseIds } = await prepare(`r${round}`, crowd)
    const rawRate = await raw()
    const bareRun = await book(bareUrl, tokens.map(hashOf), index => (index % COURSES) + 1)
    const spread = await book(url, tokens, index => courseIds[index % COURSES] ?? 0)
    const hot = await book(url, tokens.slice(0, PEOPLE / 4), () => courseIds[COURSES / 2 + 1] ?? 0)
    if (round === 0) continue
    rounds.push({ raw: rawRate, bare: bareRun.perSecond, portal: spread.perSecond })
    const rate = ({ perSecond }: { perSecond: number }) => `${fixed(perSecond, 0).padStart(6)}/s`
    const ofRaw = fixed(spread.perSecond / rawRate)
    const ofBare = fixed(spread.perSecond / bareRun.perSecond)
    console.log(
      `raw ${rate({ perSecond: rawRate })}, bare Node ${rate(bareRun)}, portal ${rate(spread)} (${ofRaw} of raw, ${ofBare} of bare), one course ${rate(hot)}, p99 ${fixed(percentile(spread.times, 0.99), 0)} ms, ${spread.answers.failed} failed, load ${fixed(loadavg()[0] ?? 0, 1)}`,
    )
  }
  const median = (of: (round: (typeof rounds)[number]) => number) => fixed(percentile(rounds.map(of), 0.5))
  console.log(`median of ${ROUNDS}: ${median(r => r.portal / r.bare)} of bare Node`)
  const inMiddle = rounds.toSorted((a, b) => a.portal / a.raw - b.portal / b.raw)[Math.floor(ROUNDS / 2)]
  if (!inMiddle) return
  report({
    what: `bookings, ${named}`,
    figure: inMiddle.portal,
    unit: '/s',
    reference: { name: 'raw PostgreSQL (pgbench)', figure: inMiddle.raw },
    limit: { atLeast: processes === '1' ? 0.35 : 0.6 },
  })
}

async function measureRush(): Promise<void> {
  const idle = await megabytesOf(portal.pid, 'VmRSS')
  for (const [name, employeeStatus] of Object.entries({ employees: 1, externals: 2 })) {
    const crowd = { people: 10_000, courses: 100, capacity: 20, employeeStatus }
    const { tokens, courseIds } = await prepare(name, crowd)
    const bareRun = await book(bareUrl, tokens.map(hashOf), index => (index % crowd.courses) + 1, crowd.people)
    // The connections of the crowd before have to end.
    await sleep(2_000)
    const rush = await book(url, tokens, index => courseIds[index % crowd.courses] ?? 0, crowd.people)
    const [places] = await listOf<number>(
      'select count(*)::int from bookings where course_id = any($1::int[]) and state = 1',
      [courseIds],
    )
    console.log(
      `10,000 ${name} at once: ${fixed(rush.seconds, 1)} s, bare Node ${fixed(bareRun.seconds, 1)} s (${fixed(rush.seconds / bareRun.seconds, 2)} times as long), half answered after ${fixed(percentile(rush.times, 0.5) / 1000, 1)} s, ${JSON.stringify(rush.answers)}, ${places} places taken, load ${fixed(loadavg()[0] ?? 0, 1)}`,
    )
    report({
      what: `10,000 ${name} for 100 × 20 places, ${named}`,
      figure: rush.seconds,
      unit: 's',
      reference: { name: 'bare Node', figure: bareRun.seconds },
      limit: { atMost: 1.5 },
    })
    report({ what: '… places given, of 2,000', figure: places ?? 0, unit: '', limit: { atMost: 2_000 } })
    report({ what: '… calls that failed', figure: rush.answers.failed, unit: '', limit: { atMost: 0 } })
  }
  const most = await megabytesOf(portal.pid, 'VmHWM')
  report({ what: `memory with 10,000 sockets, at most, ${named}`, figure: most, unit: 'MB', limit: { atMost: 450 } })
  await sleep(IDLE_MS)
  report({
    what: `memory ${IDLE_MS / 1000} s after the rush, ${named}`,
    figure: await megabytesOf(portal.pid, 'VmRSS'),
    unit: 'MB',
    reference: { name: 'before it', figure: idle },
  })
}

/** All turns count together: a single one says more of the machine than of the triggers. */
async function measureDesk(): Promise<void> {
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const seconds = { enable: 0, disable: 0 }
  // The first round warms up and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    for (const state of round % 2 === 0 ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const)) {
      await db.query(`
        delete from mails;
        alter table mails ${state} trigger write_letter;
        alter table bookings ${state} trigger note_new_bookings, ${state} trigger note_changed_bookings`)
      const { tokens, courseIds } = await prepare(`${state}${round}`, crowd)
      const spread = await book(url, tokens, index => courseIds[index % COURSES] ?? 0)
      if (round > 0) seconds[state] += spread.seconds
    }
  const rateOf = (state: keyof typeof seconds) => (PEOPLE * ROUNDS) / seconds[state]
  report({
    what: `bookings with the desk's triggers, ${named}`,
    figure: rateOf('enable'),
    unit: '/s',
    reference: { name: 'without them, in turns', figure: rateOf('disable') },
    limit: { atLeast: 0.95 },
  })
}

await (values.desk ? measureDesk() : values.kills ? measureKills() : values.rush ? measureRush() : measureRates())
bare.kill()
await db.end()
portal.child.kill('SIGTERM')
await portal.ended
await rm(dataDir, { recursive: true, force: true })
process.exit()
