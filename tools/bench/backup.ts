import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { startFile, startPortal, stopPortals } from '../../server/test/portal.ts'
import { startTestPostgres } from '../../server/test/postgres.ts'
import { percentile } from './programmes.ts'

/**
 * node tools/bench/backup.ts [--seconds N]: backs up a portal of about 100,000 rows during bookings and account
 * deletions, and restores it into another and into an embedded database. Prints durations, booking latency, and whether
 * all acknowledged data were restored.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const SECONDS = Number(values.seconds)
const LANES = 12
const LEAVING = 20
const PASSWORD = 'Rot-Gelb-Blau-2026'
/** Wait time for the list of deleted accounts, which is written once a minute. */
const LIST_MS = 75_000

const server = await startTestPostgres()
const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'))
const dataDir = join(folder, 'data')
const file = join(folder, 'portal.zip')
const client = new pg.Client(server.url)
const inSeconds = (ms: number) => (ms / 1000).toFixed(1)

/**
 * Inserts 10,000 people and 400 full courses: 200 with bookings, and 200 that also have rooms, attendance, messages
 * and e-mails.
 */
const FILL = `
insert into divisions values (1, 'Werk');
insert into seasons (id, name, bookable_from, viewable_from) values (1, 'Saison', now() - interval '9 days', now() - interval '9 days');
insert into categories (id, name) values (1, 'Kurse');
insert into courses (number, season_id, category_id, name, plan_day, start_time, end_time, plan_starts_on, plan_ends_on, capacity, opens_at, closes_at, taken, booking_seq)
  select 'K-' || n, 1, 1, 'Kurs ' || n, 2, '18:00', '19:00', current_date - 9, current_date + 90, case when n <= 400 then 150 else 100000 end,
    now() - interval '9 days', now() + interval '90 days', case when n <= 400 then 200 else 0 end, case when n <= 400 then 200 else 0 end
  from generate_series(1, 600) n;
insert into course_dates (course_id, held_at)
  select id, day + time '18:00' from courses, unnest(array[current_date - 1, current_date + 80]) day order by id;
insert into web_users (email, given_name, family_name, employee_status, personnel_number, division_id, confirmed_at, known_at, password_hash)
  select 'p' || n || '@demo.example', 'Person', 'Nummer ' || n, 1, 'A' || n, 1, now(), now(), $1 from generate_series(1, 10000) n;
insert into bookings (course_id, web_user_id, seq, state, price_cents, booked_at)
  select course, person, row_number() over (partition by course order by person),
    case when row_number() over (partition by course order by person) <= 150 then 1 else 2 end, 0, now() - interval '2 days'
  from (select 1 + (person + 50 * k) % 400 as course, person from generate_series(1, 10000) person, generate_series(0, 7) k) pairs;
insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at)
  select gen_random_uuid(), course_id, web_user_id, true, now() - interval '1 hour' from bookings where seq <= 25;
insert into attendances select course_date_id, web_user_id, true, changed_at from attendance_changes;
insert into inbox_items (web_user_id, title) select id, 'Willkommen' from web_users;
insert into mails (web_user_id, recipient, language, kind, sent_at) select id, email, 'de', 'notice', now() from web_users;
insert into sessions (token_hash, web_user_id, is_kept, expires_at)
  select sha256(convert_to('token ' || id, 'UTF8')), id, true, now() + interval '9 days' from web_users;
analyze`

async function command(url: string, folderOfData: string, ...args: string[]): Promise<{ said: string; ms: number }> {
  const since = performance.now()
  const child = spawn(process.execPath, [startFile, ...args], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: folderOfData, DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${args[0]}: ${said}${errors}`)
  return { said: said.trim(), ms: performance.now() - since }
}

type Booking = { key: string; askedAt: number; answeredAt: number }

try {
  await client.connect()
  const portal = startPortal({ DATABASE_URL: server.url, DATA_DIR: dataDir })
  const url = await portal.url()
  for (const statement of FILL.split(';\n')) {
    const isPeople = statement.includes('$1')
    await client.query(statement, isPeople ? [await hash(PASSWORD)] : [])
  }
  const call = (person: number, method: string, path: string, body: object) =>
    fetch(`${url}/api/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', SessionToken: `token ${person}` },
      body: JSON.stringify(body),
    })

  const booked: Booking[] = []
  let faults = 0
  let isEnding = false
  const book = async (lane: number) => {
    for (let turn = 0; !isEnding; turn += 1) {
      const [course, person] = [401 + (turn % 200), 1 + lane + LANES * Math.floor(turn / 200)]
      const askedAt = Date.now()
      const answer = await call(person, 'PUT', 'course/coursebooking', { id: course })
      if (answer.ok) booked.push({ key: `${course} ${person}`, askedAt, answeredAt: Date.now() })
      else faults += 1
      await sleep(20)
    }
  }
  const lanes = Array.from({ length: LANES }, (_, lane) => book(lane))
  await sleep((SECONDS * 1000) / 3)
  const begunAt = Date.now()
  const backup = await command(server.url, dataDir, 'backup', file)
  const endedAt = Date.now()
  await sleep((SECONDS * 2000) / 3)
  isEnding = true
  await Promise.all(lanes)

  const leaving = Array.from({ length: LEAVING }, (_, index) => 9_000 + index)
  for (const person of leaving) {
    const { rows } = await client.query(
      'select course_id as id from bookings where web_user_id = $1 and cancelled_at is null',
      [person],
    )
    for (const { id } of rows) await call(person, 'PUT', 'course/coursecancel', { id })
    const answer = await call(person, 'DELETE', 'webuser', { password: PASSWORD })
    if (!answer.ok) throw new Error(`an account is not deleted: ${await answer.text()}`)
  }
  const deadline = Date.now() + LIST_MS
  const readList = () => readFile(join(dataDir, 'deleted-accounts'), 'utf8').catch(() => '')
  while ((await readList()).trim().split('\n').length < LEAVING && Date.now() < deadline) await sleep(500)
  await stopPortals()

  await client.query('create database elsewhere template template0')
  const elsewhere = server.url.replace(/\/[^/?]+(\?|$)/, '/elsewhere$1')
  const restored = await command(elsewhere, dataDir, 'restore', file)
  const audited = await command(elsewhere, dataDir, 'audit')
  const takenAt = Date.parse(/ of (\S+Z): /.exec(restored.said)?.[1] ?? '')
  const other = new pg.Client(elsewhere)
  await other.connect()
  const { rows } = await other.query(
    `select course_id || ' ' || web_user_id as key from bookings where course_id > 400 and cancelled_at is null`,
  )
  const there = new Set(rows.map(({ key }) => key))
  const lost = booked.filter(({ key, answeredAt }) => answeredAt < takenAt && !there.has(key))
  const before = new Set(booked.filter(({ askedAt }) => askedAt <= takenAt).map(({ key }) => key))
  const early = [...there].filter(key => !before.has(key))
  const { rows: back } = await other.query('select id from web_users where id = any($1)', [leaving])
  await other.end()

  const embedded = join(folder, 'embedded')
  // The backup is restored into another DATA_DIR, as on a new machine.
  const key = /Signed with the key ([0-9a-f]+)/.exec(backup.said)?.[1] ?? ''
  const own = await command('', embedded, 'restore', file, '--key', key)
  const ownAudit = await command('', embedded, 'audit')

  const waits = (from: number, to: number) =>
    booked.filter(({ askedAt }) => askedAt >= from && askedAt < to).map(booking => booking.answeredAt - booking.askedAt)
  const wait = (of: number[]) => `${percentile(of, 0.5)} ms (median), ${percentile(of, 0.99)} ms (99 of 100)`
  console.log(
    `backup under load: ${inSeconds(backup.ms)} s, ${((await stat(file)).size / 1e6).toFixed(1)} MB; ${backup.said}`,
  )
  console.log(`bookings: ${booked.length} acknowledged in ${SECONDS} s, ${faults} faults`)
  console.log(`  before it: ${wait(waits(0, begunAt))}; meanwhile: ${wait(waits(begunAt, endedAt))}`)
  console.log(
    `restored into another database: ${inSeconds(restored.ms)} s; into an embedded one: ${inSeconds(own.ms)} s`,
  )
  console.log(
    `  acknowledged before the backup and missing: ${lost.length}; in it and asked for later: ${early.length}`,
  )
  console.log(`  accounts deleted after it: ${LEAVING}; there again: ${back.length}`)
  console.log(`  audit: ${audited.said}\n  audit, embedded: ${ownAudit.said}`)
  if (lost.length + early.length + back.length + faults > 0) process.exitCode = 1
} finally {
  await stopPortals()
  await client.end()
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}
