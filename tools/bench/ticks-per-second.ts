import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPortal, stopPortals } from '../../server/test/portal.ts'
import { percentile } from './programmes.ts'
import { report } from './report.ts'

/**
 * node tools/bench/ticks-per-second.ts: 40 instructors concurrently record the attendance of 40 lessons with 50 people each.
 * The baseline is a minimal Node.js server with one prepared statement on the same PostgreSQL (tools/bench/bare-server.ts).
 */
const LESSONS = 40
const PEOPLE = 50
const ROUNDS = 3

const dataDir = await mkdtemp(join(tmpdir(), 'ticks-'))
const host = join(dataDir, 'postgres')
process.on('exit', () => void stopPortals())
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1))
const portal = startPortal({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const url = await portal.url()
const db = new pg.Pool({ host, user: 'portal', database: 'postgres', options: '-c TimeZone=Europe/Berlin' })
await db.query(`
  insert into seasons (id, name, name2, bookable_from, viewable_from, starts_at, ends_at)
  values (1, 'Saison', 'Season', now() - interval '7 days', now() - interval '14 days', current_date - 7, current_date + 90);
  insert into categories (id, name, name2, icon) values (1, 'Kategorie', 'Category', 'fitness');
  insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at)
  select 'person-' || n || '@bench.example', 'Kim', 'Muster', 1, 1980, now() from generate_series(1, ${PEOPLE}) n;
  insert into courses (number, name, name2, plan_day, start_time, end_time, capacity, season_id, category_id, plan_starts_on, plan_ends_on, opens_at, closes_at)
  select 'T' || n, 'Kurs ' || n, 'Course ' || n, 1, '00:00', '00:30', 200, 1, 1,
    current_date, current_date + 21, now() - interval '1 day', now() + interval '20 days' from generate_series(1, ${LESSONS}) n;
  insert into course_dates (course_id, held_at) select id, current_date from courses;
  insert into bookings (course_id, web_user_id, seq, state, price_cents)
  select c.id, u.id, row_number() over (partition by c.id order by u.id), 1, 0 from courses c, web_users u;
  insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at)
  select 'teacher-' || n || '@bench.example', 'Alex', 'Muster', 1, 1980, now() from generate_series(1, ${LESSONS}) n;
  insert into instructors (email, given_name, family_name) select email, 'Alex', 'Muster' from web_users where email like 'teacher-%';
  insert into course_instructors (course_id, email)
  select c.id, 'teacher-' || row_number() over (order by c.id) || '@bench.example' from courses c;
  insert into sessions (token_hash, web_user_id, is_kept, expires_at)
  select sha256(convert_to('token-' || id, 'UTF8')), id, false, now() + interval '1 day' from web_users;
  create table bare_ticks (lesson int, person int, is_present boolean, changed_at timestamptz, primary key (lesson, person));
  update programme set revision = revision + 1`)
const { rows: lessons } = await db.query<{ id: number; token: string }>(`
  select d.id, 'token-' || u.id as token from course_dates d join course_instructors i on i.course_id = d.course_id
  join web_users u on u.email = i.email order by d.id`)
const { rows: people } = await db.query<{ id: number }>(
  `select id from web_users where email like 'person-%' order by id`,
)

const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), host], { stdio: 'pipe' })
bare.stderr.pipe(process.stderr)
const [port] = await once(bare.stdout.setEncoding('utf8'), 'data')
const bareUrl = `http://127.0.0.1:${String(port).trim()}`

const agent = new Agent({ keepAlive: true, maxSockets: LESSONS })
const post = (address: string, token: string, body: string) =>
  new Promise<string>((resolve, reject) => {
    const headers = { SessionToken: token, 'Content-Type': 'application/json', 'Content-Length': body.length }
    request(`${address}/api/course/dates/participant/change`, { method: 'POST', agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', part => {
        text += part
      })
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
    })
      .on('error', reject)
      .end(body)
  })

/**
 * Each instructor records attendance sequentially.
 * @returns changes per second
 */
async function record(address: string, changeState: 'added' | 'deleted'): Promise<number> {
  const startedAt = performance.now()
  await Promise.all(
    lessons.map(async ({ id, token }) => {
      for (const person of people) {
        const change = { changeState, courseDateId: id, webUserId: person.id, changeId: randomUUID() }
        const answer = await post(address, token, JSON.stringify(change))
        if (!answer.includes('"Ok"')) throw new Error(answer)
      }
    }),
  )
  return (LESSONS * PEOPLE) / ((performance.now() - startedAt) / 1_000)
}

const rounds: { portal: number; bare: number }[] = []
// The first round is a warm-up and is not counted.
for (let round = 0; round <= ROUNDS; round++) {
  const state = round % 2 === 0 ? 'added' : 'deleted'
  const measured = { bare: await record(bareUrl, state), portal: await record(url, state) }
  if (round > 0) rounds.push(measured)
}
report({
  what: 'attendance changes, one process',
  figure: percentile(
    rounds.map(round => round.portal),
    0.5,
  ),
  unit: '/s',
  reference: {
    name: 'bare Node',
    figure: percentile(
      rounds.map(round => round.bare),
      0.5,
    ),
  },
  limit: { atLeast: 0.5 },
})
bare.kill()
await db.end()
portal.child.kill('SIGTERM')
await portal.ended
await rm(dataDir, { recursive: true, force: true })
process.exit()
