import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { startPortal, stopPortals } from '../server/test-portal.ts'
import { percentile } from './programmes.ts'

/**
 * node bench/opening.ts [--rounds N] [--connections N]
 *
 * The opening second: bookings that succeed, beside two floors of the same run on the same PostgreSQL: pgbench with one
 * prepared statement, and Node's own server with that statement and no rule (bench/bare-server.ts). Read the ratios.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, connections: { type: 'string', default: '64' } },
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

/** A fresh person for every booking, and courses with room for everybody. */
async function prepare(round: number): Promise<{ tokens: string[]; courseIds: number[] }> {
  const tokens = await listOf<string>(
    `with people as (
      insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at)
      select 'rush-' || $1::text || '-' || n || '@bench.example', 'Kim', 'Muster', 1, 1980, now()
      from generate_series(1, $2::int) n returning id
    ), started as (
      insert into sessions (token_hash, web_user_id, is_kept, expires_at)
      select sha256(convert_to('token-' || id, 'UTF8')), id, false, now() + interval '1 day' from people
    )
    select 'token-' || id from people`,
    [round, PEOPLE],
  )
  const courseIds = await listOf<number>(
    `insert into courses (number, name, name2, day, start_time, end_time, capacity, season_id, category_id, starts_on, ends_on, opens_at, closes_at)
    select 'R' || $1::text || '-' || n, 'Kurs ' || n, 'Course ' || n, 1, '18:00', '19:00', $2::int, 1, 1,
      current_date + 7, current_date + 21, now() - interval '1 day', now() + interval '20 days'
    from generate_series(1, $3::int) n returning id`,
    [round, PEOPLE, COURSES],
  )
  await db.query(
    `insert into course_dates (course_id, held_at)
    select id, current_date + 7 * week + time '18:00' from unnest($1::int[]) id, generate_series(1, 3) week`,
    [courseIds],
  )
  await db.query('update programme set revision = revision + 1')
  return { tokens, courseIds }
}

/** All people book over so many connections. @returns successes a second, and ms until the answer */
async function book(
  address: string,
  tokenOf: (token: string) => string,
  tokens: string[],
  courseOf: (place: number) => number,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const times: number[] = []
  let failures = 0
  const startedAt = performance.now()
  const one = (token: string, place: number) =>
    new Promise<void>((resolve, reject) => {
      const body = JSON.stringify({ id: courseOf(place) })
      const headers = {
        SessionToken: tokenOf(token),
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
          if (response.statusCode !== 200 || text.includes('"Failed"')) failures += 1
          resolve()
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  await Promise.all(tokens.map(one))
  agent.destroy()
  return { perSecond: ((tokens.length - failures) / (performance.now() - startedAt)) * 1000, failures, times }
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
const hashed = new Map<string, string>()
const hashOf = (token: string) => {
  const known = hashed.get(token) ?? createHash('sha256').update(token).digest('base64url')
  hashed.set(token, known)
  return known
}

const rounds: { raw: number; bare: number; portal: number; hot: number }[] = []
// The first round warms up and is not counted.
for (let round = 0; round <= ROUNDS; round++) {
  const { tokens, courseIds } = await prepare(round)
  const rawRate = await raw()
  for (const token of tokens) hashOf(token)
  const bareRun = await book(bareUrl, hashOf, tokens, place => (place % COURSES) + 1)
  const spread = await book(
    url,
    token => token,
    tokens,
    place => courseIds[place % COURSES] ?? 0,
  )
  const half = tokens.slice(0, tokens.length / 4)
  const hot = await book(
    url,
    token => token,
    half,
    () => courseIds[COURSES / 2 + 1] ?? 0,
  )
  const failures = bareRun.failures + spread.failures
  if (round === 0) continue
  rounds.push({ raw: rawRate, bare: bareRun.perSecond, portal: spread.perSecond, hot: hot.perSecond })
  const rate = (number: number) => number.toFixed(0).padStart(6)
  console.log(
    `raw ${rate(rawRate)}/s, bare Node ${rate(bareRun.perSecond)}/s, portal ${rate(spread.perSecond)}/s (${(spread.perSecond / rawRate).toFixed(3)} of raw, ${(spread.perSecond / bareRun.perSecond).toFixed(3)} of bare), one course ${rate(hot.perSecond)}/s, p99 ${percentile(spread.times, 0.99).toFixed(0)} ms, ${failures} failed, load ${loadavg()[0]?.toFixed(1)}`,
  )
}
const median = (of: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(of), 0.5)
console.log(
  `median of ${ROUNDS}: ${median(r => r.portal / r.raw).toFixed(3)} of raw PostgreSQL, ${median(r => r.portal / r.bare).toFixed(3)} of bare Node`,
)
bare.kill()
await db.end()
portal.child.kill('SIGTERM')
await portal.ended
await rm(dataDir, { recursive: true, force: true })
process.exit()
