import type { ActConsequences } from '#contract/office/office.ts'
import { fullName, phoneNumber } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'

/**
 * Time and last id of each message table at the start of an action's transaction. Messages that the transaction wrote
 * with higher ids are effects of the action; existing messages that it only updated are not.
 */
export type TransactionStart = { since: Date; mail: number; message: number; letter: number }

/** SQL for the last id assigned, or 0 if there is none. The `last_value` of an unused sequence is its first id. */
const lastIdOf = (table: string) => sql`(select last_value - (not is_called)::int from ${sql.raw(table)}_id_seq)`

export const readTransactionStart = (tx: Queryable): Promise<TransactionStart> =>
  tx.one(sql`
    select clock_timestamp() as since, ${lastIdOf('outbox')} as mail, ${lastIdOf('inbox_items')} as message,
      ${lastIdOf('letters')} as letter`)

/**
 * Id that represents instructors without an account. Their names are programme data rather than personal data, so they
 * are stored with the response.
 */
export const NO_ACCOUNT_ID = 0

const instructorName = sql`concat_ws(' ', nullif(i.given_name, ''), i.family_name)`
/** SQL condition: the row was written by the current transaction. */
const isOurs = sql`xmin = pg_current_xact_id()::xid`

/**
 * Finds the e-mails, messages and bookings that the transaction has written since its start.
 * @param reopened people whose bookings the transaction may have reopened
 */
export async function findActionConsequences(
  tx: Queryable,
  mark: TransactionStart,
  reopened: readonly number[],
): Promise<Omit<ActConsequences, 'clashes'>> {
  const people = (ids: ReturnType<typeof sql>) => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', ${fullName}) order by ${byName('u')}, u.id), '[]')
    from web_users u where u.id in (${ids}))`
  return tx.one(sql`
    with queued as (select channel, web_user_id, recipient from outbox where id > ${mark.mail} and ${isOurs}),
      mail as (select web_user_id, recipient from queued where channel = 'mail'),
      letter as (select web_user_id from letters where id > ${mark.letter} and ${isOurs}),
      message as (select web_user_id from inbox_items where id > ${mark.message} and ${isOurs}),
      booking as (select * from bookings where ${isOurs}),
      told as (select web_user_id from mail where web_user_id is not null union select web_user_id from letter union select web_user_id from message)
    select (select count(*) from mail) as mails, (select count(*) from letter) as letters, (select count(*) from message) as messages,
      (select count(*) from queued where channel = 'push') as pushes,
      ${people(sql`select web_user_id from booking
        where (booked_at >= ${mark.since} or web_user_id = any(${[...reopened]}::int[])) and cancelled_at is null`)} as booked,
      ${people(sql`select web_user_id from booking where cancelled_at >= ${mark.since}`)} as ended,
      ${people(sql`select web_user_id from booking where promoted_at >= ${mark.since} and cancelled_at is null`)} as promoted,
      ${people(sql`select web_user_id from told`)} || (
        select coalesce(jsonb_agg(jsonb_build_object('id', ${NO_ACCOUNT_ID}::int, 'name', ${instructorName}) order by ${byName('i')}, i.email), '[]')
        from instructors i where i.email in (select recipient from mail where web_user_id is null)) as told, (
        select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', ${fullName},
          'phone', ${phoneNumber})
          order by ${byName('u')}, u.id), '[]')
        from web_users u where u.id in (select web_user_id from told) and position('@' in u.email) = 0
          and not exists (select from mail m where m.web_user_id = u.id and position('@' in m.recipient) > 0)) as call`)
}

type Named = { id: number; name: string }

/** Adds current names to the effects of an action, because stored responses contain only ids. */
export async function addNamesToConsequences<C extends ActConsequences>(db: Queryable, consequences: C): Promise<C> {
  const { booked, ended, promoted, told, call } = consequences
  const ids = [booked, ended, promoted, told, call].flat().map(({ id }) => id)
  const rows = await db.query<Named & { phone: string }>(sql`
    select u.id, ${fullName} as name, ${phoneNumber} as phone
    from web_users u where u.id = any(${ids}::int[])`)
  const byId = new Map(rows.map(row => [row.id, row]))
  const nameOf = ({ id, name }: Named) => (id === NO_ACCOUNT_ID ? name : (byId.get(id)?.name ?? ''))
  const fill = (people: Named[]) => people.map(person => ({ id: person.id, name: nameOf(person) }))
  return addNamesToClashes(db, {
    ...consequences,
    booked: fill(booked),
    ended: fill(ended),
    promoted: fill(promoted),
    told: fill(told),
    call: call.map(person => ({ id: person.id, name: nameOf(person), phone: byId.get(person.id)?.phone ?? '' })),
  })
}

/** Adds names to conflicts, which store people as ids. */
export async function addNamesToClashes<C extends ActConsequences>(db: Queryable, consequences: C): Promise<C> {
  const ids = consequences.clashes.flatMap(({ person }) => (person === undefined ? [] : [Number(person)]))
  if (ids.length === 0) return consequences
  const rows = await db.query<Named>(
    sql`select u.id, ${fullName} as name from web_users u where u.id = any(${ids}::int[])`,
  )
  const nameOf = (person: string) => rows.find(({ id }) => id === Number(person))?.name ?? ''
  const clashes = consequences.clashes.map(clash =>
    clash.person === undefined ? clash : { ...clash, person: nameOf(clash.person) },
  )
  return { ...consequences, clashes }
}

/** Effects in the form in which they are stored: without names and personnel numbers. */
export const withoutPersonNames = <C extends ActConsequences>(consequences: C): C => {
  const nameOf = ({ id, name }: Named) => (id === NO_ACCOUNT_ID ? name : '')
  const strip = (people: Named[]) => people.map(person => ({ id: person.id, name: nameOf(person) }))
  const { booked, ended, promoted, told, call } = consequences
  return {
    ...consequences,
    booked: strip(booked),
    ended: strip(ended),
    promoted: strip(promoted),
    told: strip(told),
    call: call.map(person => ({ id: person.id, name: nameOf(person), phone: '' })),
  }
}

/** Links an action's e-mails to its audit log entry. */
export const linkMailsToAuditEntry = (tx: Queryable, mark: TransactionStart, recordNumber: number): Promise<number> =>
  tx.execute(sql`
    update outbox set record_number = ${recordNumber} where id > ${mark.mail} and ${isOurs} and channel = 'mail'`)
