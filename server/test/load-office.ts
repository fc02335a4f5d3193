import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertUserWithSession, insertWebUser } from './factories.ts'
import { acknowledge, type LoadClient } from './load-client.ts'
import type { LoadLedger } from './load-ledger.ts'

const PAUSE_MS = 300
/** Time for which an act without a response is sent again; longer than any fault. */
const RETRY_MS = 120_000
/** Longer than `RETRY_MS`, because a message whose time has passed cannot be scheduled. */
const SCHEDULED_AFTER_MS = 5 * 60_000
const SITE = 'Werk Nord'
/** Days until the first closure. The courses of the load take place earlier. */
const CLOSED_FROM_DAYS = 400

/** Inserts a member of the department, a site to close, and a person to charge and to notify. */
export async function insertOfficeScene(db: Database) {
  const officer = await insertUserWithSession(db)
  for (const right of ['billing', 'bookings', 'programme'])
    await db.execute(sql`insert into office_rights (web_user_id, "right") values (${officer.id}, ${right})`)
  await db.execute(sql`insert into rooms (name, site) values ('Halle', ${SITE})`)
  return { officer, person: await insertWebUser(db) }
}

/**
 * Acts of the department: ledger corrections, closures, undo of every second closure, and scheduled messages. An act
 * without a response is sent again with the same `actId`. Each act has its own amount, day or title, by which the rows
 * show whether it was performed once.
 */
export function createOfficeWork(
  { officer, person }: Awaited<ReturnType<typeof insertOfficeScene>>,
  ledger: LoadLedger,
  client: LoadClient,
) {
  let last = 0
  const perform = async (key: string, value: string, body: object) => {
    const { entry, before } = ledger.attempt(key, 'none', value)
    const actId = randomUUID()
    for (const until = performance.now() + RETRY_MS; performance.now() < until; await sleep(100)) {
      const answer = await client.call('POST', 'office/acts', officer.token, { actId, ...body })
      if (answer === null || typeof answer === 'string') continue
      if (answer.status === 'Ok') acknowledge(client, entry, value)
      // The portal was unavailable for longer than the 10 s in which an act can be undone.
      else if (answer.code === 'office.failed.notUndone') entry.possible = before
      else throw new Error(`${key}: unexpected response ${JSON.stringify(answer)}`)
      return { actId, result: answer.result as Record<string, unknown> }
    }
    throw new Error(`${key}: no response for ${RETRY_MS} ms`)
  }
  return async () => {
    last += 1
    const correction = { entryKind: 'correction', amount: last / 100, webUserId: person.id, reason: 'Nachtrag' }
    await perform(`entry ${last}`, 'once', { kind: 'add-entry', ...correction })

    const day = dateFromNow(CLOSED_FROM_DAYS + last)
    const closure = `closure ${day.replaceAll('-', '')}`
    const span = { site: SITE, from: day, to: day, lessons: [] }
    const { actId, result } = await perform(closure, 'once', { kind: 'set-closure', ...span, undoable: true })
    if (last % 2 === 0)
      await perform(closure, 'none', { kind: 'remove-closure', closureId: result.closureId, undoes: actId })

    const sendAt = new Date(Date.now() + SCHEDULED_AFTER_MS).toLocaleString('sv', { timeZone: 'Europe/Berlin' })
    const message = { to: 'person', toId: person.id, mail: true, title: `Hinweis ${last}`, text: 'Halle zu' }
    const schedule = { state: 'scheduled', sendAt: sendAt.slice(0, 16).replace(' ', 'T') }
    await perform(`message ${last}`, 'once', { kind: 'save-message', ...schedule, ...message })
    await sleep(PAUSE_MS)
  }
}

/** Keys of the rows that the acts have left. A message is in the schedule or, once it has been sent, among the e-mails. */
export const OFFICE_ROWS = sql`
  select 'entry ' || cents as key from ledger_entries where kind = 'correction'
  union all select 'closure ' || to_char(starts_on, 'YYYYMMDD') from closures
  union all select 'message ' || substring(fields ->> 'title' from '^Hinweis (.*)') from desk_messages
  union all select 'message ' || substring(payload #>> '{de,title}' from '^Hinweis (.*)') from mails
    where payload #>> '{de,title}' like 'Hinweis %'`

/** Statements that duplicate or delete a row of an act. Ledger entries cannot be deleted. */
export const TAMPERED_OFFICE_ROWS = {
  entry: (cents: number) => sql`
    insert into ledger_entries (account_id, kind, cents)
    select account_id, kind, cents from ledger_entries where kind = 'correction' and cents = ${cents}`,
  closure: (day: number) => sql`delete from closures where to_char(starts_on, 'YYYYMMDD')::int = ${day}`,
  message: (number: number) => sql`
    with sent as (delete from mails where payload #>> '{de,title}' = ${`Hinweis ${number}`})
    delete from desk_messages where fields ->> 'title' = ${`Hinweis ${number}`}`,
}
