import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Portal } from '../../e2e/portal.ts'

/**
 * node tools/bench/rehearsal.ts: a rehearsal of 20,000 people who request places in 100 courses, and the rate at which
 * others book meanwhile, compared with the rate before and after. Exit status 1 beyond the limits.
 */
const PEOPLE = 20_000
const COURSES = 100
const BOOKERS = 3_000
const AT_ONCE = 32
const SECONDS = 20
const RATE = 0.9
const SLICE_MS = 8_000
const ROUNDS = 3

const portal = await Portal.open({ OFFICE_PASSKEY: 'off' })
try {
  const db = new pg.Pool({ host: join(portal.dataDir, 'postgres'), user: 'portal', database: 'postgres' })
  await db.query(`
    insert into web_users (email, given_name, family_name, employee_status, personnel_number, confirmed_at, form_of_address, billing_type)
    select 'crowd' || n || '@bench.example', 'Kim', 'Kern ' || n, 1, 'P' || n, clock_timestamp(), 'Frau', 1
    from generate_series(1, ${PEOPLE}) n;
    insert into office_rights (web_user_id, "right") select id, 'programme' from web_users where email = 'crowd1@bench.example';
    insert into sessions (token_hash, web_user_id, is_kept, expires_at)
    select sha256(convert_to('token' || n, 'UTF8')), (select id from web_users where email = 'crowd' || n || '@bench.example'), false,
      clock_timestamp() + interval '1 day'
    from generate_series(1, ${BOOKERS}) n`)
  const insertSeason = async (name: string, isDraft: boolean, capacity: number, courses: number) => {
    const { rows } = await db.query(
      `insert into seasons (id, name, shortcut, bookable_from, viewable_from, starts_at, ends_at, is_draft)
       select max(id) + 1, $1, $1, now() - interval '1 day', now() - interval '2 days', now() + interval '20 days', now() + interval '90 days', $2 from seasons returning id`,
      [name, isDraft],
    )
    const { id } = rows[0] as { id: number }
    await db.query(
      `insert into courses (number, season_id, category_id, name, name2, plan_day, start_time, end_time, plan_starts_on, plan_ends_on, capacity, opens_at)
       select $1 || '-' || n, $2, (select min(id) from categories) + n % 5, 'Kurs ' || n, 'Course ' || n, 1 + n % 5, make_time(8 + n % 12, 0, 0),
         make_time(9 + n % 12, 0, 0), current_date + 20, current_date + 90, $3, now() - interval '1 day'
       from generate_series(1, $4::int) n`,
      [name, id, capacity, courses],
    )
    await db.query(
      `insert into course_dates (course_id, held_at) select c.id, (current_date + 20 + w * 7)::timestamp + c.start_time
       from courses c, generate_series(0, 9) w where c.season_id = $1`,
      [id],
    )
    return id
  }
  const earlier = await insertSeason('B1', false, 20, COURSES)
  const draft = await insertSeason('B2', true, 20, COURSES)
  const open = await insertSeason('B3', false, 100_000, 40)
  await db.query(
    `insert into bookings (course_id, web_user_id, seq, state, price_cents, employee_status, booked_at)
     select c.id, u.id, row_number() over (partition by c.id order by u.id), 2, 0, 1, c.opens_at + u.nth * interval '1 ms'
     from (select id, row_number() over (order by id) as nth from web_users where email like 'crowd%') u
     join lateral (select id, opens_at from courses where season_id = $1 order by number offset u.nth % ${COURSES} limit 1) c on true`,
    [earlier],
  )
  await db.query(
    `update courses d set copied_from_id = c.id from courses c
     where c.season_id = $1 and d.season_id = $2 and right(d.number, -3) = right(c.number, -3)`,
    [earlier, draft],
  )
  await db.query('update programme set revision = revision + 1')
  await db.query('analyze')
  const { rows } = await db.query('select id from courses where season_id = $1 order by id', [open])
  const courses = rows.map(row => (row as { id: number }).id)
  await db.end()

  const call = (method: string, path: string, token: string, body: object) =>
    fetch(`${portal.url}${path}`, {
      method,
      headers: { SessionToken: token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  let turn = 0
  /** Bookings per second until `isOver`. */
  const book = async (isOver: () => boolean) => {
    const startedAt = performance.now()
    let booked = 0
    const one = async () => {
      while (!isOver()) {
        const nth = turn++
        const id = courses[Math.floor(nth / BOOKERS)] ?? 0
        const response = await call('PUT', '/api/course/coursebooking', `token${1 + (nth % BOOKERS)}`, { id })
        const { status } = (await response.json()) as { status?: string }
        if (status !== 'Ok') throw new Error(`booking ${nth}: ${response.status} ${status}`)
        booked += 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    return (booked / (performance.now() - startedAt)) * 1_000
  }
  const forSlice = () => {
    const end = performance.now() + SLICE_MS
    return () => performance.now() > end
  }
  const rehearse = async () => {
    let isDone = false
    const startedAt = performance.now()
    const answer = call('POST', '/api/office/rehearsals', 'token1', { seasonId: draft, demandSeasonId: earlier }).then(
      async response => {
        const result = (await response.json()) as { requests: number; courses: { fullAfterMs: number | null }[] }
        isDone = true
        return { ...result, seconds: (performance.now() - startedAt) / 1_000 }
      },
    )
    const bookings = await book(() => isDone)
    return { ...(await answer), bookings }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
  await book(forSlice())
  // Alternating, because the rate falls as the tables grow.
  const without = [await book(forSlice())]
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await rehearse())
    await sleep(500)
    without.push(await book(forSlice()))
  }
  const seconds = median(rounds.map(one => one.seconds))
  const rate = median(
    rounds.map(({ bookings }, round) => (2 * bookings) / ((without[round] ?? 0) + (without[round + 1] ?? 0))),
  )
  const [{ requests = 0, courses: rehearsed = [] } = {}] = rounds
  const full = rehearsed.filter(({ fullAfterMs }) => fullAfterMs !== null).length
  const list = (values: number[]) => values.map(value => value.toFixed(0)).join(', ')
  console.log(
    `${requests} requests, ${full} of ${rehearsed.length} courses full, in ${seconds.toFixed(1)} s; bookings per second ${list(rounds.map(one => one.bookings))} meanwhile, ${list(without)} without: ${rate.toFixed(2)}`,
  )
  process.exitCode = seconds > SECONDS || rate < RATE ? 1 : 0
} finally {
  await portal.close()
}
