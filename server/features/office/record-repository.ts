import { createHash } from 'node:crypto'
import { type Queryable, sql } from '#server/db/client.ts'

/** One act as the record has it: nobody's name is in it. */
export type RecordLine = {
  kind: string
  /** null: a command */
  actorId: number | null
  /** what it was about, by id */
  objects: Record<string, unknown>
  before: Record<string, unknown>
  after: Record<string, unknown>
  /** how many mails, messages, bookings … it set off */
  counts: Record<string, number>
  /** rules that it broke, with a reason */
  rules: string[]
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
export const chainHash = (previous: Buffer, line: string): Buffer =>
  sha256(Buffer.concat([previous, Buffer.from(line)]))
/** What the first line follows on. */
export const NO_HASH = Buffer.alloc(32)

export type RecordHead = { number: number; hash: string }

/**
 * Writes the next line of the record, in the transaction of what it tells about: whoever else writes one waits until its end.
 * @param text what people wrote, kept beside the line and erased with those it is about
 * @param concerns whom and which courses the line is about
 */
export async function insertRecordLine(
  tx: Queryable,
  line: RecordLine,
  text: string,
  concerns: { people: number[]; courses: number[] },
): Promise<RecordHead> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('office_record'))`)
  const last = await tx.maybeOne<{ number: number; hash: Buffer }>(sql`
    select number, hash from office_record order by number desc limit 1`)
  const { at } = await tx.one<{ at: Date }>(sql`select date_trunc('milliseconds', clock_timestamp()) as at`)
  const number = (last?.number ?? 0) + 1
  const written = JSON.stringify({
    number,
    at: at.toISOString(),
    ...line,
    text: text === '' ? null : sha256(text).toString('hex'),
  })
  const hash = chainHash(last?.hash ?? NO_HASH, written)
  await tx.execute(sql`
    insert into office_record (number, acted_at, kind, actor_id, line, hash)
    values (${number}, ${at}, ${line.kind}, ${line.actorId}, ${written}, ${hash})`)
  if (text !== '')
    await tx.execute(sql`insert into office_record_texts (record_number, text) values (${number}, ${text})`)
  await tx.execute(sql`
    insert into office_record_people (web_user_id, record_number)
    select id, ${number} from web_users where id = any(${concerns.people}::int[])`)
  await tx.execute(sql`
    insert into office_record_courses (course_id, record_number)
    select distinct unnest(${concerns.courses}::int[]), ${number}::bigint`)
  return { number, hash: hash.toString('hex') }
}
