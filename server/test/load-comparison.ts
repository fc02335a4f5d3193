import { setTimeout as sleep } from 'node:timers/promises'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { type Database, isUnavailable, sql } from '#server/platform/db/client.ts'
import type { Values } from './load-ledger.ts'
import { OFFICE_ROWS } from './load-office.ts'
import type { ReceivedMail } from './mail-server.ts'

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

/** The rows that the ledger covers, with their values. */
async function rowsOf(from: Database) {
  const bookings = await from.query<{ key: string }>(sql`
    select 'booking ' || course_id || ' ' || web_user_id as key from bookings where cancelled_at is null`)
  const presences = await from.query<{ key: string; value: string }>(sql`
    select 'presence ' || course_date_id || ' ' || web_user_id as key, is_present::text as value from attendances`)
  const registered = await from.query<{ key: string; state: string }>(sql`
    select 'registration ' || email as key, state from web_users where email like 'kills-%'`)
  const acts = await from.query<{ key: string; rows: number }>(sql`
    select key, count(*)::int as rows from (${OFFICE_ROWS}) act group by key`)
  return new Map([
    ...acts.map(({ key, rows }) => [key, rows === 1 ? 'once' : `${rows} times`] as const),
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

/**
 * Compares the possible values with the rows, then runs the audit. @returns one line for each difference
 * @param direct number of the course whose bookings were inserted directly, so that there are no e-mails about them
 */
export async function compareRows(from: Database, expected: Values, direct: string): Promise<string[]> {
  const rows = await patiently(() => rowsOf(from))
  const differences = [...expected].flatMap(([key, possible]) => {
    const actual = rows.get(key) ?? (key.startsWith('presence') ? 'false' : 'none')
    return possible.has(actual) ? [] : [`${key} is ${actual}, acknowledged was ${[...possible].join(' or ')}`]
  })
  const unequal = await patiently(() => listUnequal(from))
  const doubled = unequal.map(({ email, mails }) => `registration ${email} has ${mails} mails`)
  const isExpected = (finding: string) => finding.startsWith(`course ${direct},`) && finding.includes('mails about')
  const audit = await patiently(() => auditPortal(from))
  return [...differences, ...doubled, ...audit.findings.filter(finding => !isExpected(finding))]
}

/** Waits at most `patienceMs` until every e-mail has been sent, and compares sent e-mails with received ones. */
export async function compareMails(db: Database, mails: ReceivedMail[], patienceMs: number) {
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
}
