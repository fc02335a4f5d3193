import { reassignCertificates } from '#server/features/certificates/repository.ts'
import { reassignLedgerAccounts } from '#server/features/money/ledger-repository.ts'
import { isOnPayroll } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { SECRET_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'

/**
 * Locks the courses in which any of these people has an active booking until the transaction ends.
 * @returns their ids
 */
export const lockBookedCourses = async (tx: Queryable, webUserIds: readonly number[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select id from courses where id in (
        select course_id from bookings where web_user_id = any(${webUserIds}::int[]) and cancelled_at is null)
      order by id for no key update`)
  ).map(({ id }) => id)

export const isAnyAccountDeleted = async (tx: Queryable, webUserIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from web_users where id = any(${webUserIds}::int[]) and deleted_at is not null limit 1`)) !== null

/** Whether a former address can still take the account back, or is about to be told how. */
export const canAddressChangeBeUndone = async (tx: Queryable, webUserId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from web_users u where u.id = ${webUserId} and (
      exists (select from account_tokens t where t.web_user_id = u.id and t.purpose = 'undo'
        and t.new_email <> u.email and t.expires_at > clock_timestamp())
      or exists (select from mails m where m.web_user_id = u.id and m.kind = 'email-changed' and m.sent_at is null
        and m.recipient <> u.email))`)) !== null

type Doubled = {
  courseId: number
  ownId: number
  otherId: number
  ownState: number
  otherState: number
  ownSeq: number
  otherSeq: number
}

/**
 * Swaps the sequence numbers of two merged bookings in a course if the cancelled one has the smaller number. The
 * remaining booking then has the earlier position, and sequence numbers within the course stay contiguous.
 */
async function assignEarlierSequence(tx: Queryable, remaining: number, cancelled: number): Promise<void> {
  const swapped = await tx.query<{ remaining: number; cancelled: number }>(sql`
    select k.seq as remaining, e.seq as cancelled from bookings k join bookings e on e.id = ${cancelled} where k.id = ${remaining} and e.seq < k.seq`)
  for (const seq of swapped) {
    await tx.execute(sql`update bookings set seq = -seq where id = ${remaining}`)
    await tx.execute(sql`update bookings set seq = ${seq.remaining} where id = ${cancelled}`)
    await tx.execute(sql`update bookings set seq = ${seq.cancelled} where id = ${remaining}`)
  }
}

/**
 * Reassigns all bookings from the duplicate person to the remaining one. If both have an active booking in the same
 * course, the better one remains active (a seat rather than a waiting-list entry, then the earlier position) and the
 * other one is cancelled.
 * @returns number of courses that both people had booked
 */
export async function mergeBookings(tx: Queryable, fromId: number, intoId: number): Promise<number> {
  const doubled = await tx.query<Doubled>(sql`
    select a.course_id as "courseId", b.id as "ownId", a.id as "otherId", b.state as "ownState", a.state as "otherState",
      b.seq as "ownSeq", a.seq as "otherSeq"
    from bookings a join bookings b on b.course_id = a.course_id
    where a.web_user_id = ${fromId} and b.web_user_id = ${intoId} and a.cancelled_at is null and b.cancelled_at is null`)
  for (const { courseId, ownId, otherId, ownState, otherState, ownSeq, otherSeq } of doubled) {
    const isOtherBetter = otherState < ownState || (otherState === ownState && otherSeq < ownSeq)
    const [kept, ended] = isOtherBetter ? [otherId, ownId] : [ownId, otherId]
    await tx.execute(sql`update bookings set cancelled_at = clock_timestamp() where id = ${ended}`)
    await tx.execute(sql`update bookings set web_user_id = ${intoId} where id = ${kept}`)
    await assignEarlierSequence(tx, kept, ended)
    await tx.execute(sql`
      update courses set taken = taken - (select count(*) from bookings where id = ${ended} and not is_passed_over),
        revision = revision + 1 where id = ${courseId}`)
  }
  await tx.execute(sql`update bookings set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  return doubled.length
}

/**
 * Reassigns e-mails and letters from the duplicate person to the remaining one. Unsent e-mails are sent to the
 * remaining person's e-mail address, or become letters if there is none. Unsent e-mails with login links are deleted.
 */
export async function reassignMailsAndLetters(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(
    sql`delete from mails where web_user_id = ${fromId} and sent_at is null and kind = any(${SECRET_MAIL_KINDS})`,
  )
  await tx.execute(sql`
    with moved as (
      update mails m set web_user_id = ${intoId}, recipient = case when m.sent_at is null and position('@' in u.email) > 0
          then u.email else m.recipient end
      from web_users u where u.id = ${intoId} and m.web_user_id = ${fromId}
      returning m.id, m.sent_at, m.language, m.kind, m.payload, position('@' in u.email) = 0 as is_letter
    ), letter as (
      insert into letters (web_user_id, language, kind, payload)
      select ${intoId}, language, kind, payload from moved where sent_at is null and is_letter
    )
    select from moved`)
  await tx.execute(sql`
    delete from mails m using web_users u
    where u.id = ${intoId} and m.web_user_id = u.id and m.sent_at is null and position('@' in u.email) = 0`)
  await tx.execute(sql`update letters set web_user_id = ${intoId} where web_user_id = ${fromId}`)
}

/**
 * Reassigns followed courses from the duplicate person to the remaining one, and reminder settings if the remaining
 * person has none.
 */
export async function reassignFollowedCourses(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    update follows a set web_user_id = ${intoId} where web_user_id = ${fromId} and not exists (
      select from follows b where b.web_user_id = ${intoId} and (b.course_id, b.category_id, b.season_id)
        is not distinct from (a.course_id, a.category_id, a.season_id))`)
  await tx.execute(sql`
    update reminders set web_user_id = ${intoId}
    where web_user_id = ${fromId} and not exists (select from reminders where web_user_id = ${intoId})`)
}

/** Id of the attendance change that records which of two merged entries takes precedence. */
const changeIdOfMerge = (fromId: number) => sql`md5('merge ' || ${fromId}::int || ' ' || course_date_id)::uuid`

/**
 * Reassigns attendance from the duplicate person to the remaining one. If both have an attendance entry for the same
 * lesson, `present` takes precedence, then the newer entry. If that is not the newest change, a change records it.
 */
export async function mergeAttendance(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    with decided as (
      insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at)
      select ${changeIdOfMerge(fromId)}, course_date_id, ${intoId}, true, max(changed_at) + interval '1 microsecond'
      from attendances where web_user_id in (${fromId}, ${intoId}) group by course_date_id
      having count(*) = 2 and bool_or(is_present)
        and not coalesce((array_agg(is_present order by changed_at desc))[1], false)
      returning course_date_id, changed_at
    )
    update attendances b set is_present = case when d.changed_at is not null then true
        when a.changed_at > b.changed_at then a.is_present else b.is_present end,
      changed_at = coalesce(d.changed_at, greatest(a.changed_at, b.changed_at)),
      is_day_only = d.changed_at is null and case when a.changed_at > b.changed_at then a.is_day_only else b.is_day_only end
    from attendances a left join decided d on d.course_date_id = a.course_date_id
    where a.course_date_id = b.course_date_id and a.web_user_id = ${fromId} and b.web_user_id = ${intoId}`)
  await tx.execute(sql`
    delete from attendances a where web_user_id = ${fromId} and exists (
      select from attendances b where b.course_date_id = a.course_date_id and b.web_user_id = ${intoId})`)
  await tx.execute(sql`update attendances set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  await tx.execute(sql`update attendance_changes set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  await tx.execute(sql`update attendance_changes set recorded_by = ${intoId} where recorded_by = ${fromId}`)
}

/**
 * Sets the attendance of two separated people at lessons for which both have changes to what each one's newest change
 * says. Call this after their changes have been returned.
 */
export async function separateAttendance(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    delete from attendance_changes where web_user_id = ${intoId} and change_id = ${changeIdOfMerge(fromId)}`)
  await tx.execute(sql`
    insert into attendances (course_date_id, web_user_id, is_present, changed_at, is_day_only)
    select distinct on (course_date_id, web_user_id) course_date_id, web_user_id, is_present, changed_at, is_day_only
    from attendance_changes where web_user_id in (${fromId}, ${intoId}) and course_date_id in (
      select course_date_id from attendance_changes where web_user_id in (${fromId}, ${intoId})
      group by 1 having count(distinct web_user_id) = 2)
    order by course_date_id, web_user_id, changed_at desc, received_at desc
    on conflict (course_date_id, web_user_id) do update
      set is_present = excluded.is_present, changed_at = excluded.changed_at, is_day_only = excluded.is_day_only`)
}

/** Tables whose rows a merge reassigns, with the key that identifies a row, and the column with the account. */
const MOVED_TABLES = [
  ['bookings', 'id', 'web_user_id'],
  ['attendances', 'course_date_id', 'web_user_id'],
  ['attendance_changes', 'change_id', 'web_user_id'],
  ['inbox_items', 'id', 'web_user_id'],
  ['ledger_accounts', 'id', 'web_user_id'],
  ['follows', 'id', 'web_user_id'],
  ['outbox', 'id', 'web_user_id'],
  ['letters', 'id', 'web_user_id'],
  ['desk_messages', 'id', 'person_id'],
  ['office_reads', 'id', 'web_user_id'],
  ['office_record_people', 'record_number', 'web_user_id'],
] as const

/** Keys of the rows that a merge reassigns, as text, by table. */
export type MovedRows = Partial<Record<(typeof MOVED_TABLES)[number][0], string[]>>

/** Rows that a merge is about to reassign, except those that the remaining person has as well. */
export async function listMovedRows(tx: Queryable, fromId: number, intoId: number): Promise<MovedRows> {
  const moved: MovedRows = {}
  for (const [table, ...columns] of MOVED_TABLES) {
    const [name, key, person] = [sql.raw(table), ...columns.map(column => sql.raw(column))] as const
    const rows = await tx.query<{ key: string }>(sql`
      select a.${key}::text as key from ${name} a where a.${person} = ${fromId} and not exists (
        select from ${name} b where b.${person} = ${intoId} and b.${key} = a.${key})`)
    moved[table] = rows.map(row => row.key)
  }
  return moved
}

/** Returns rows that a merge reassigned, as far as the remaining person still has them. */
export async function returnMovedRows(
  tx: Queryable,
  { fromId, fromEmail, intoId, moved }: { fromId: number; fromEmail: string; intoId: number; moved: MovedRows },
): Promise<void> {
  for (const [table, key, person] of MOVED_TABLES)
    await tx.execute(sql`
      update ${sql.raw(table)} set ${sql.raw(person)} = ${fromId}
      where ${sql.raw(person)} = ${intoId} and ${sql.raw(key)}::text = any(${moved[table] ?? []}::text[])`)
  await tx.execute(sql`
    update mails set recipient = ${fromEmail}
    where web_user_id = ${fromId} and sent_at is null and id::text = any(${moved.outbox ?? []}::text[])`)
}

/** Whether both accounts have the same personnel number of their own, and it is verified for both. */
export const isProvedSamePerson = async (tx: Queryable, fromId: number, intoId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from web_users u join web_users b on b.id = ${intoId} and b.personnel_number = u.personnel_number
    where u.id = ${fromId} and u.personnel_number <> '' and u.known_at is not null and b.known_at is not null and ${isOnPayroll}
      and b.employee_status = u.employee_status`)) !== null

/** Kinds of data that stay with the duplicate account until both people agree, as far as it has any. */
export const listOwnDataKinds = async (tx: Queryable, fromId: number): Promise<string[]> =>
  (
    await tx.query<{ kind: string }>(sql`
      select 'documents' as kind where exists (select from inbox_items where web_user_id = ${fromId} and document_name <> '')
      union all select 'certificates' where exists (select from certificate_documents where web_user_id = ${fromId})
      union all select 'proofs' where exists (select from proofs where web_user_id = ${fromId})
      union all select 'consents' where exists (select from consents where web_user_id = ${fromId})
      union all select 'companyLogin' where exists (select from company_accounts where web_user_id = ${fromId})`)
  ).map(({ kind }) => kind)

/**
 * Reassigns documents, certificates, sick notes, shift certificates, consents and the single sign-on login. Only for two
 * accounts that certainly belong to one person.
 */
export async function reassignOwnData(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`update inbox_items set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  await tx.execute(sql`update company_accounts set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  await reassignCertificates(tx, fromId, intoId)
  await tx.execute(sql`update proofs set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  await tx.execute(sql`
    update consents c set web_user_id = ${intoId}
    where web_user_id = ${fromId} and not exists (
      select from consents o where o.web_user_id = ${intoId} and (o.kind, o.version) = (c.kind, c.version))`)
}

/**
 * Reassigns inbox messages without documents and ledger accounts from the duplicate person to the remaining one. If both
 * have the same personnel number and status, an unverified remaining person becomes verified if the duplicate was.
 */
export async function reassignAccountData(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    update inbox_items set web_user_id = ${intoId} where web_user_id = ${fromId} and document_name = ''`)
  await tx.execute(sql`
    update web_users b set known_at = coalesce(b.known_at, case when (a.personnel_number, a.employee_status) = (b.personnel_number, b.employee_status) then a.known_at end)
    from web_users a where a.id = ${fromId} and b.id = ${intoId}`)
  await reassignLedgerAccounts(tx, fromId, intoId)
}

/** Reassigns messages to the duplicate person that the department has not sent yet. */
export const reassignUnsentMessages = (tx: Queryable, fromId: number, intoId: number): Promise<number> =>
  tx.execute(sql`update desk_messages set person_id = ${intoId} where person_id = ${fromId}`)

/** Reassigns references in the audit log and the access log from the duplicate person to the remaining one. */
export async function reassignLogReferences(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    update office_record_people p set web_user_id = ${intoId}
    where web_user_id = ${fromId} and not exists (
      select from office_record_people o where o.web_user_id = ${intoId} and o.record_number = p.record_number)`)
  await tx.execute(sql`update office_reads set web_user_id = ${intoId} where web_user_id = ${fromId}`)
}

/** Closes the duplicate account, so that nobody can log in to it or find it. It can be opened again for seven days. */
export async function closeMergedPerson(tx: Queryable, webUserId: number): Promise<void> {
  await tx.execute(sql`
    update web_users set email = 'merged ' || gen_random_uuid(), deleted_at = clock_timestamp() where id = ${webUserId}`)
  for (const table of ['sessions', 'known_devices', 'calendar_feeds', 'push_subscriptions'])
    await tx.execute(sql`delete from ${sql.raw(table)} where web_user_id = ${webUserId}`)
}

export const insertMerge = async (
  tx: Queryable,
  { fromId, intoId, fromEmail, moved }: { fromId: number; intoId: number; fromEmail: string; moved: MovedRows },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into merges (from_id, into_id, from_email, moved)
      values (${fromId}, ${intoId}, ${fromEmail}, ${JSON.stringify(moved)}::text::jsonb) returning id`)
  ).id

export type Merge = { id: number; fromId: number; intoId: number; fromEmail: string; moved: MovedRows }

/** Finds a merge that can still be separated and locks both accounts; null if there is none. */
export async function lockMerge(tx: Queryable, id: number): Promise<Merge | null> {
  const found = await tx.maybeOne<Merge>(sql`
    select id, from_id as "fromId", into_id as "intoId", from_email as "fromEmail", moved from merges where id = ${id} for update`)
  if (found === null) return null
  await tx.query(sql`
    select from web_users where id in (${found.fromId}, ${found.intoId}) order by id for update`)
  return found
}

/**
 * Records the agreement of one of the two people.
 * @returns whether both have agreed
 */
export const updateMergeAgreed = async (tx: Queryable, { id, fromId }: Merge, webUserId: number): Promise<boolean> =>
  (
    await tx.one<{ isAgreed: boolean }>(sql`
      update merges set is_agreed_from = is_agreed_from or ${webUserId === fromId}, is_agreed_into = is_agreed_into or ${webUserId !== fromId}
      where id = ${id} returning is_agreed_from and is_agreed_into as "isAgreed"`)
  ).isAgreed

/** Opens the duplicate account again, with its own address. */
export async function reopenMergedPerson(tx: Queryable, { id, fromId, fromEmail }: Merge): Promise<void> {
  await tx.execute(sql`update web_users set email = ${fromEmail}, deleted_at = null where id = ${fromId}`)
  await tx.execute(sql`delete from merges where id = ${id}`)
}

export const deleteMergedPerson = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`delete from web_users where id = ${webUserId}`)
