import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { findChromium } from '../../e2e/browsers.ts'
import { hasRealProgrammes } from '../../e2e/real-programme-fixture.ts'
import { openLargePortal } from './programmes.ts'
import { report } from './report.ts'

/**
 * node tools/bench/desk.ts: office screens with 2,072 concurrent courses and 20,000 people, in Chromium at 1280 × 900. Per
 * screen: time from the last response byte to paint and idle; then typing latency, and confirming all courses.
 */
const COURSES = 2_072
const PEOPLE = 20_000
const ROUNDS = 5
const SCREEN_MS = 300
const KEY_MS = 100
const CONFIRM_MS = 3_000
const TOKEN = 'token-of-the-desk'
const FRAME_MS = 50
const PATIENCE_MS = 20_000

/** Marker that a screen is complete: an element with this text. */
type Sign = [selector: string, text: string]
type Watched = { signs: Sign[]; frames: { at: number; isThere: boolean }[]; durations: number[] }

// These markers belong to the larger real programme, whose courses all run in one season.
if (!hasRealProgrammes) {
  console.log('skipped: ../shared is missing')
  process.exit()
}
const { portal } = await openLargePortal(COURSES, { OFFICE_PASSKEY: 'off' })
const host = join(portal.dataDir, 'postgres')
const db = new pg.Pool({ host, user: 'portal', database: 'postgres', options: '-c TimeZone=Europe/Berlin' })
await db.query(`
  insert into web_users (email, given_name, family_name, employee_status, personnel_number, year_of_birth, confirmed_at, mobile_phone)
  select 'crowd' || n || '@bench.example', (array['Kim','Ada','Jörg','Şule','Otto','Ines','Paul','Mara'])[1 + n % 8],
    (array['Müller','Schmidt','Aydın','Nowak','Meier','Čapek','Fuchs','Böhm','Kern','Wolf'])[1 + n % 10] || ' ' || n, 1, 'P' || n, 1980,
    clock_timestamp(), '0171 ' || n
  from generate_series(1, ${PEOPLE}) n;
  insert into eligible_people (personnel_number) select 'P' || n from generate_series(1, ${PEOPLE}, 2) n;
  insert into office_rights (web_user_id, "right")
  select u.id, r from web_users u, unnest(array['programme', 'bookings', 'billing', 'content', 'record', 'owner']) r
  where u.email = 'crowd1@bench.example';
  insert into sessions (token_hash, web_user_id, is_kept, expires_at)
  select sha256(convert_to('${TOKEN}', 'UTF8')), id, false, clock_timestamp() + interval '1 day'
  from web_users where email = 'crowd1@bench.example';
  update seasons set starts_at = current_date - 35, ends_at = current_date + 65;
  delete from course_dates;
  create temp table turn as select id, row_number() over (order by id)::int as n from courses;
  update courses c set is_confirmed = false, day = (1 + n % 7) % 7, start_time = make_time(7 + n % 13, 0, 0), end_time = make_time(8 + n % 13, 0, 0),
    starts_on = date_trunc('week', current_date)::date - 28 + n % 7, ends_on = date_trunc('week', current_date)::date + 56 + n % 7
  from turn t where t.id = c.id;
  insert into course_dates (course_id, held_at)
  select c.id, date_trunc('week', current_date)::date - 28 + n % 7 + c.start_time + w * interval '7 days'
  from courses c join turn t on t.id = c.id, generate_series(0, 12) w;
  insert into instructors (email, family_name, given_name)
  select 'trainer' || n || '@bench.example', 'Trainer ' || n, 'Kim' from generate_series(1, 150) n;
  insert into course_instructors (course_id, email)
  select id, 'trainer' || 1 + n % 150 || '@bench.example' from turn on conflict do nothing;
  insert into rooms (name, site) select distinct venue, city from courses where venue <> '' on conflict do nothing;
  with place as (
    select c.id as course_id, u.id as web_user_id, row_number() over (partition by c.id order by u.id) as seq, c.capacity
    from (select id, row_number() over (order by id) as n from web_users where email like 'crowd%') u
    join (select t.id, t.n - 1 as n, capacity from turn t join courses using (id)) c
      on c.n in (u.n % ${COURSES}, (u.n * 7 + 1) % ${COURSES})
  ), booked as (
    insert into bookings (course_id, web_user_id, seq, state, price_cents, employee_status, personnel_number, billing_type)
    select course_id, web_user_id, seq, case when seq <= capacity then 1 else 2 end, 4500, 1, '', 1 from place
    returning course_id
  )
  update courses c set taken = b.count, booking_seq = b.count
  from (select course_id, count(*) as count from booked group by 1) b
  where b.course_id = c.id;
  insert into office_record (number, line, hash)
  select n, json_build_object('kind', 'confirm-course', 'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'objects', json_build_object('courseId', n), 'counts', json_build_object('mails', n % 20)), '' from generate_series(1001, 6000) n;
  insert into letters (web_user_id, language, kind, payload)
  select id, 'de', 'password-reset', '{"password": "-"}' from web_users where email like 'crowd%0@bench.example' and personnel_number < 'P1500';
  update programme set revision = revision + 1;
  analyze`)
const [person, course] = await Promise.all(
  [
    `select web_user_id as id from bookings join web_users u on u.id = web_user_id where email like 'crowd%' order by 1 limit 1 offset 50`,
    `select course_id as id from bookings group by 1 order by count(*) desc, 1 limit 1`,
  ].map(async text => (await db.query<{ id: number }>(text)).rows[0]?.id ?? 0),
)
await db.end()

/** Records for each frame whether all markers are present, and the latency of keys. */
const watch = (signs: Sign[]) => {
  const watched: Watched = { signs, frames: [], durations: [] }
  Object.assign(window, { watched })
  const isThere = ([selector, text]: Sign) =>
    [...document.querySelectorAll(selector)].some(({ textContent }) => textContent?.includes(text))
  const look = () => {
    watched.frames.push({ at: performance.now(), isThere: watched.signs.every(isThere) })
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') watched.durations.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

/**
 * Returns the time in ms from the last response to the first complete frame after which the main thread is responsive.
 */
const readUsable = (page: Page) =>
  page.evaluate(
    ([frameMs]) => {
      const { frames } = (window as unknown as { watched: Watched }).watched
      const calls = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
        name.includes('/api/office/'),
      )
      const last = Math.max(0, ...calls.map(({ responseEnd }) => responseEnd))
      const usable = frames.find(
        ({ at, isThere }, index) => at > last && isThere && (frames[index + 1]?.at ?? 0) - at < (frameMs ?? 0),
      )
      const callMs = Math.max(0, ...calls.map(({ responseEnd, requestStart }) => responseEnd - requestStart))
      return { ms: (usable?.at ?? Number.NaN) - last, callMs, calls: calls.length }
    },
    [FRAME_MS],
  )

const executablePath = await findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })

async function open(path: string, signs: Sign[]): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'de-DE',
    serviceWorkers: 'block' as const,
  })
  const page = await context.newPage()
  await page.addInitScript(token => sessionStorage.setItem('SessionToken', token), TOKEN)
  await page.addInitScript(watch, signs)
  await page.goto(portal.url + path)
  await untilThere(page)
  return page
}

const untilThere = (page: Page) =>
  page.waitForFunction(() => (window as unknown as { watched: Watched }).watched.frames.at(-1)?.isThere, null, {
    timeout: PATIENCE_MS,
  })

const ROW: Sign = ['main tbody tr', '']
const GRID: Sign = ['main table button[draggable]', '']
const ALL: Sign = ['main [role="status"]', '2.072']
const SCREENS: [name: string, path: string, signs: Sign[]][] = [
  [
    'today',
    '/office',
    [
      ['main h2', '296'],
      ['main tbody td', ''],
    ],
  ],
  ['season by rooms', '/office/season', [GRID, ALL]],
  ['season by instructors', '/office/season?by=instructor', [GRID, ALL]],
  ['course', `/office/courses/${course}`, [['main [role="tabpanel"] dd', '']]],
  ['people of a course', `/office/courses/${course}?tab=people`, [ROW]],
  ['people', '/office/people', [['main tbody tr', '@']]],
  ['person', `/office/people/${person}`, [['main dl', '']]],
  ['messages', '/office/messages', [['main form, main fieldset, main select', '']]],
  ['lists', '/office/lists', [['main a, main button', 'CSV']]],
  ['HR list', '/office/hr-list', [['main [role="status"]', '10.000']]],
  ['letters', '/office/letters', [['main li', 'Müller']]],
  ['record', '/office/record', [['main [role="status"]', '100']]],
  ['content', '/office/content', [['main h2', '']]],
  ['basics', '/office/basics', [ROW, ['main [role="status"]', '150']]],
  ['connections', '/office/connections', [['main h1', '']]],
  ['rights', '/office/rights', [ROW]],
]
const only = process.argv[2]
for (const [name, path, signs] of SCREENS.filter(screen => !only || screen[0].includes(only))) {
  const rounds: Awaited<ReturnType<typeof readUsable>>[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await open(path, signs)
      await page.waitForTimeout(700)
      rounds.push(await readUsable(page))
      await page.context().close()
    }
  } catch (error) {
    console.log(`${name}: ${error instanceof Error ? error.message.slice(0, 200) : error}`)
    process.exitCode = 1
    continue
  }
  // The minimum of several rounds counts: it is least affected by other processes.
  const [figure, callMs] = [Math.min(...rounds.map(({ ms }) => ms)), Math.min(...rounds.map(one => one.callMs))]
  const times = rounds.map(({ ms }) => ms.toFixed(0)).join(' ')
  console.log(`${name}: ${times}; ${rounds[0]?.calls} calls, the slowest ${callMs.toFixed(0)} ms`)
  report({ what: `desk, ${name}: answer to usable`, figure, unit: 'ms', limit: { atMost: SCREEN_MS } })
}

/** Types at a fast typist's speed, then deletes the text. */
async function typeInto(page: Page, name: string, words: string): Promise<void> {
  await page.waitForTimeout(1_000)
  await page.evaluate(() => (window as unknown as { watched: Watched }).watched.durations.splice(0))
  await page.keyboard.type(words, { delay: 90 })
  for (const _ of words) await page.keyboard.press('Backspace', { delay: 40 })
  await page.waitForTimeout(1_000)
  const durations = await page.evaluate(() => (window as unknown as { watched: Watched }).watched.durations)
  console.log(`${name}: slower than 16 ms: ${durations.join(' ')}`)
  report({
    what: `desk, ${name}: the slowest of ${2 * words.length} keys`,
    figure: Math.max(16, ...durations),
    unit: 'ms',
    limit: { atMost: KEY_MS },
  })
  await page.context().close()
}

if (!only || only === 'typing') {
  const season = await open('/office/season', [GRID, ALL])
  await season.getByRole('searchbox').first().click()
  await typeInto(season, 'typing in 2,072 courses beside their week', 'schwimmen anf')

  const people = await open('/office/people', [ROW])
  await people.getByRole('searchbox').first().click()
  await typeInto(people, 'typing in 20,000 people', 'müller 1999')

  const again = await open('/office/people', [ROW])
  await again.getByRole('searchbox').first().click()
  await again.evaluate(() => {
    const { watched } = window as unknown as { watched: Watched }
    watched.signs = [['main tbody th', 'Müller 19990']]
    watched.frames.splice(0)
  })
  const pressedAt = await again.evaluate(() => performance.now())
  await again.keyboard.insertText('müller 19990')
  await untilThere(again)
  const shownAt = await again.evaluate(
    () => (window as unknown as { watched: Watched }).watched.frames.find(({ isThere }) => isThere)?.at ?? 0,
  )
  report({
    what: 'desk, one of 20,000 people found: from the last key, 150 ms of waiting for the next one included',
    figure: shownAt - pressedAt,
    unit: 'ms',
    limit: { atMost: SCREEN_MS },
  })
  await again.context().close()

  const palette = await open('/office', [['main td', '']])
  await palette.keyboard.press('Control+k')
  await palette.getByRole('dialog').getByRole('searchbox').waitFor()
  await typeInto(palette, 'typing in the palette', 'fällt aus schwimmen')
}
if (!only || only === 'confirm') {
  const season = await open('/office/season', [GRID, ALL])
  await season.getByRole('checkbox', { name: 'Alle auswählen' }).click()
  await season.getByRole('button', { name: /Kurse finden statt$/ }).click()
  const ready = season.getByRole('dialog').locator('button[aria-disabled="false"]')
  await ready.waitFor({ timeout: 10 * PATIENCE_MS })
  const pressedAt = performance.now()
  await ready.click()
  await season.getByRole('dialog').waitFor({ state: 'hidden', timeout: 10 * PATIENCE_MS })
  report({
    what: `desk, ${COURSES} courses confirmed at once: from the button to the list`,
    figure: performance.now() - pressedAt,
    unit: 'ms',
    limit: { atMost: CONFIRM_MS },
  })
  await season.context().close()
}
await browser.close()
await portal.close()
