import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { startPortal, stopPortals } from '../server/test/portal.ts'
import { percentile } from './programmes.ts'

/**
 * node bench/opening.ts [--rounds N] [--connections N] [--rush]
 *
 * The opening second: bookings that succeed, beside two floors of the same run on the same PostgreSQL: pgbench with one
 * prepared statement, and Node's own server with that statement and no rule (bench/bare-server.ts). Read the ratios.
 * --rush: instead of it, 10,000 people with a connection each want 100 courses of 20 places; then 10,000 externals, who may not
 * wait.
 */
const { values } = parseArgs({
  options: {
    rush: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
  },
})
const ROUNDS = Number(values.rounds)
const CONNECTIONS = Number(values.connections)
const PEOPLE = 2_000
const COURSES = 200
const PGBENCH_S = 3
const run = promisify(execFile)
const pgbench = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find(existsSync)

const dataDir = await mkdtemp(join(tmpdir(), 'opening-'))
const host = join(dataDir, 'postgres')
process.on('exit', () => void stopPortals())
const portal = startPortal({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
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

const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), host], { stdio: 'pipe' })
bare.stderr.pipe(process.stderr)
const [port] = await once(bare.stdout.setEncoding('utf8'), 'data')
const bareUrl = `http://127.0.0.1:${String(port).trim()}`
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const fixed = (number: number, digits = 3) => number.toFixed(digits)

async function measureRates(): Promise<void> {
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const rounds: { raw: number; bare: number; portal: number }[] = []
  // The first round warms up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
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
  console.log(
    `median of ${ROUNDS}: ${median(r => r.portal / r.raw)} of raw PostgreSQL, ${median(r => r.portal / r.bare)} of bare Node`,
  )
}

/** The most that the portal has ever held in memory, in MB. */
const peakMegabytes = async () =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${portal.pid}/status`, 'utf8'))?.[1]) / 1024

async function measureRush(): Promise<void> {
  console.log(`memory before: at most ${fixed(await peakMegabytes(), 0)} MB`)
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
      `10,000 ${name} at once: ${fixed(rush.seconds, 1)} s, bare Node ${fixed(bareRun.seconds, 1)} s (${fixed(rush.seconds / bareRun.seconds, 2)} times as long), half answered after ${fixed(percentile(rush.times, 0.5) / 1000, 1)} s, ${JSON.stringify(rush.answers)}, ${places} places taken, memory at most ${fixed(await peakMegabytes(), 0)} MB, load ${fixed(loadavg()[0] ?? 0, 1)}`,
    )
  }
}

await (values.rush ? measureRush() : measureRates())
bare.kill()
await db.end()
portal.child.kill('SIGTERM')
await portal.ended
await rm(dataDir, { recursive: true, force: true })
process.exit()
