import { fork, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPortal, stopPortals } from '../../../server/test/portal.ts'
import type { LoadPlan, LoadResult } from './caller.ts'

/** Number of courses for the baselines and the throughput measurement. */
export const COURSES = 200

/** Creates the season of all courses and the tables of the minimal server, and sets the commit latency. */
async function createBenchTables(db: pg.Pool, flushMs: number): Promise<void> {
  await db.query(`
    insert into seasons (id, name, name2, bookable_from, viewable_from, starts_at, ends_at)
    values (1, 'Saison', 'Season', now() - interval '7 days', now() - interval '14 days', current_date - 7, current_date + 90);
    insert into categories (id, name, name2, icon) values (1, 'Kategorie', 'Category', 'fitness');
    create table bare_courses as select id, 0 as taken, 0 as seq from generate_series(1, ${COURSES}) id;
    alter table bare_courses add primary key (id);
    create table bare_bookings (id serial primary key, course_id int, web_user_id int, seq int, unique (course_id, seq))`)

  if (flushMs > 0) {
    for (const setting of [`commit_delay = ${flushMs * 1_000}`, 'commit_siblings = 0'])
      await db.query(`alter system set ${setting}`)
    await db.query('select pg_reload_conf()')
  }
}

/**
 * Test setup: a portal with its database, a minimal Node.js server on the same database, and users who book.
 * @param flushMs simulated commit latency in addition to that of the disk; commits within this time are grouped
 */
export async function openBenchSetup(processes: string, flushMs: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'opening-'))
  const host = join(dataDir, 'postgres')
  process.on('exit', () => void stopPortals())
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1))
  const portal = startPortal({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PROCESSES: processes })
  const url = await portal.url()
  const db = new pg.Pool({ host, user: 'portal', database: 'postgres', options: '-c TimeZone=Europe/Berlin' })
  /** @returns the first column of each row */
  const listOf = async <Value>(text: string, values: unknown[] = []): Promise<Value[]> =>
    (await db.query({ text, values, rowMode: 'array' })).rows.map(([value]) => value as Value)

  await createBenchTables(db, flushMs)

  const bare = spawn(process.execPath, [join(import.meta.dirname, '../bare-server.ts'), host], { stdio: 'pipe' })
  bare.stderr.pipe(process.stderr)
  const [port] = await once(bare.stdout.setEncoding('utf8'), 'data')

  return {
    portal,
    url,
    db,
    host,
    dataDir,
    listOf,
    bareUrl: `http://127.0.0.1:${String(port).trim()}`,
    /** label of the portal in the result rows */
    named: `${processes === '1' ? 'one process' : `${processes} processes`}${flushMs > 0 ? `, ${flushMs} ms to write a commit` : ''}`,

    /** Creates people with a session each, and courses. */
    async prepare(name: string, crowd: { people: number; courses: number; capacity: number; employeeStatus: number }) {
      const people = await listOf<number>(
        `with people as (
          insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at)
          select 'rush-' || $1::text || '-' || n || '@bench.example', 'Kim', 'Muster', $3::int, 1980, now()
          from generate_series(1, $2::int) n returning id
        ), started as (
          insert into sessions (token_hash, web_user_id, is_kept, expires_at)
          select sha256(convert_to('token-' || id, 'UTF8')), id, false, now() + interval '1 day' from people
        )
        select id from people`,
        [name, crowd.people, crowd.employeeStatus],
      )
      const courseIds = await listOf<number>(
        `insert into courses (number, name, name2, plan_day, start_time, end_time, capacity, season_id, category_id, plan_starts_on, plan_ends_on, opens_at, closes_at)
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
      return { people, tokens: people.map(id => `token-${id}`), courseIds }
    },

    /** Warm-up: users who wait for the opening have the list open, so every process has the programme in its cache. */
    async lookAtList(): Promise<void> {
      for (const _ of Array.from({ length: 4 }))
        await Promise.all(
          Array.from({ length: 8 }, async () => {
            const response = await fetch(`${url}/api/course?view=index`, { headers: { Connection: 'close' } })
            await response.arrayBuffer()
            if (!response.ok) throw new Error(`the list: ${response.status}`)
          }),
        )
    },

    async close(): Promise<void> {
      bare.kill()
      await db.end()
      portal.child.kill('SIGTERM')
      await portal.ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type BenchSetup = Awaited<ReturnType<typeof openBenchSetup>>

/** The minimal server uses the token's hash. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * All people book concurrently.
 * @returns their responses, and bookings per second
 */
export async function book(crowd: LoadPlan): Promise<LoadResult & { perSecond: number }> {
  const people = fork(join(import.meta.dirname, 'caller.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  people.send(crowd)
  const told = await new Promise<LoadResult>((resolve, reject) => {
    people.once('message', answer => resolve(answer as LoadResult))
    people.once('exit', code => reject(new Error(`the people ended with ${code}`)))
  })
  return { ...told, perSecond: (told.answers.booked + told.answers.waiting) / told.seconds }
}
