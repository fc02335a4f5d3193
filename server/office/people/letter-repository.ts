import type { OfficeLetter } from '#contract/office/people.ts'
import type { Language } from '#contract/values.ts'
import { fullName } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'
import type { MailKind, MailKinds } from '#server/platform/outbox/mail-kinds.ts'

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

export type LetterRow = Omit<OfficeLetter, 'subject'> & {
  webUserId: number
  name: string
  language: Language
  kind: MailKind
  payload: MailKinds[MailKind]
  street: string
  zip: string
  city: string
  /** 'YYYY-MM-DD' */
  writtenOn: string
}

const letters = sql`
  select l.id, l.web_user_id as "webUserId", ${fullName} as name, l.language, l.kind, l.payload, u.street, u.zip, u.city,
    l.created_at::date as "writtenOn", ${at(sql`l.created_at`)} as "createdAt", ${at(sql`l.printed_at`)} as "printedAt"
  from letters l join web_users u on u.id = l.web_user_id`

export const findLetter = (db: Queryable, id: number): Promise<LetterRow | null> =>
  db.maybeOne(sql`${letters} where l.id = ${id}`)

export const listLettersOfPerson = (db: Queryable, webUserId: number): Promise<LetterRow[]> =>
  db.query(sql`${letters} where l.web_user_id = ${webUserId} order by l.id desc limit 500`)

export const listUnprintedLetters = (db: Queryable, { limit, after }: KeysetPage<number>): Promise<LetterRow[]> =>
  db.query(sql`${letters} where l.printed_at is null and l.id > ${after} order by l.id limit ${limit + 1}`)

export const updateLettersPrinted = (db: Queryable, id: number): Promise<number> =>
  db.execute(sql`update letters set printed_at = clock_timestamp() where id = ${id} and printed_at is null`)
