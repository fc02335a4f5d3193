import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Portal } from '../../e2e/portal.ts'

/**
 * node tools/bench/people-search.ts: searches of people at the desk among 20,000, one at a time and eight at once, and
 * how long a member's inbox takes meanwhile. Exit status 1 beyond the limits.
 */
const PEOPLE = 20_000
const SEARCH_MS = 150
const INBOX_MS = 300
const TOKENS = ['desk', 'member']
const ROUNDS = 5
const QUERIES = [
  'böhm',
  'schmiddt',
  'kesselrign',
  'crowd12345@bench.examplecrowd12345@bench.examplecrowd12345@bench.examplecrowd12345@bench.examplecrow',
  'Paul Nowak, Böhm 4711; Kern 815 Aydin Sule Meier Fuchs Otto Wolff Capek Mara Ines Jorg Mulller Kimm',
  'mullerschmidtnowak mullerschmidtnowak mullerschmidtnowak mullerschmidtnowak schmidtschmidtschmid',
]

const portal = await Portal.open({ OFFICE_PASSKEY: 'off' })
try {
  const db = new pg.Pool({ host: join(portal.dataDir, 'postgres'), user: 'portal', database: 'postgres' })
  await db.query(`
    insert into web_users (email, given_name, family_name, employee_status, personnel_number, confirmed_at)
    select 'crowd' || n || '@bench.example', (array['Kim','Ada','Jörg','Şule','Otto','Ines','Paul','Mara'])[1 + n % 8],
      (array['Müller','Schmidt','Aydın','Nowak','Meier','Čapek','Fuchs','Böhm','Kern','Wolf'])[1 + n % 10] || ' ' || n, 1,
      'P' || n, clock_timestamp()
    from generate_series(1, ${PEOPLE}) n;
    insert into office_rights (web_user_id, "right") select id, 'bookings' from web_users where email = 'crowd1@bench.example';
    insert into sessions (token_hash, web_user_id, is_kept, expires_at)
    select sha256(convert_to(t, 'UTF8')), (select id from web_users where email = 'crowd' || n || '@bench.example'), false,
      clock_timestamp() + interval '1 day'
    from unnest(array['${TOKENS.join("','")}']) with ordinality as tokens (t, n)`)
  await db.query('analyze')
  await db.end()

  const get = async (path: string, token: string) => {
    const startedAt = performance.now()
    const response = await fetch(`${portal.url}${path}`, { headers: { SessionToken: token } })
    await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return Math.round(performance.now() - startedAt)
  }
  const search = (q: string) => get(`/api/office/people?q=${encodeURIComponent(q)}`, 'desk')
  const inbox = () => get('/api/inboxitem/messages', 'member')
  await inbox()
  let isSlow = false
  for (const q of QUERIES) {
    await search(q)
    const alone: number[] = []
    for (let round = 0; round < ROUNDS; round++) alone.push(await search(q))
    const crowd = Promise.all(Array.from({ length: 8 }, () => search(q)))
    await sleep(20)
    const reader = await inbox()
    const [median = 0, slowest] = [alone.sort((a, b) => a - b)[ROUNDS >> 1], Math.max(...(await crowd))]
    console.log(
      `${q.slice(0, 40).padEnd(40)} ${median} ms, eight at once ${slowest} ms, inbox beside them ${reader} ms`,
    )
    isSlow ||= median > SEARCH_MS || reader > INBOX_MS
  }
  process.exitCode = isSlow ? 1 : 0
} finally {
  await portal.close()
}
