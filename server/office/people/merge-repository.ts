import { reassignCertificates } from '#server/features/certificates/repository.ts'
import { reassignLedgerAccounts } from '#server/features/money/ledger-repository.ts'
import { isOnPayroll } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { SECRET_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'
import type { EndedBooking } from './merge-booking-repository.ts'

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

/**
 * Reassigns e-mails and letters from the duplicate person to the remaining one. Unsent e-mails are sent to the
 * remaining person's e-mail address, or become letters if there is none. Unsent e-mails with login links are deleted.
 * @returns ids of these letters
 */
export async function reassignMailsAndLetters(tx: Queryable, fromId: number, intoId: number): Promise<string[]> {
  await tx.execute(
    sql`delete from mails where web_user_id = ${fromId} and sent_at is null and kind = any(${SECRET_MAIL_KINDS})`,
  )
  const letters = await tx.query<{ id: string }>(sql`
    with moved as (
      update mails m set web_user_id = ${intoId}, recipient = case when m.sent_at is null and position('@' in u.email) > 0
          then u.email else m.recipient end
      from web_users u where u.id = ${intoId} and m.web_user_id = ${fromId}
      returning m.id, m.sent_at, m.language, m.kind, m.payload, position('@' in u.email) = 0 as is_letter
    )
    insert into letters (web_user_id, language, kind, payload)
    select ${intoId}, language, kind, payload from moved where sent_at is null and is_letter returning id::text`)
  await tx.execute(sql`
    delete from mails m using web_users u
    where u.id = ${intoId} and m.web_user_id = u.id and m.sent_at is null and position('@' in u.email) = 0`)
  await tx.execute(sql`update letters set web_user_id = ${intoId} where web_user_id = ${fromId}`)
  return letters.map(({ id }) => id)
}

/**
 * Reassigns followed courses from the duplicate person to the remaining one, and reminder settings if the remaining
 * person has none.
 * @returns whether the reminder settings were reassigned
 */
export async function reassignFollowedCourses(tx: Queryable, fromId: number, intoId: number): Promise<boolean> {
  await tx.execute(sql`
    update follows a set web_user_id = ${intoId} where web_user_id = ${fromId} and not exists (
      select from follows b where b.web_user_id = ${intoId} and (b.course_id, b.category_id, b.season_id)
        is not distinct from (a.course_id, a.category_id, a.season_id))`)
  const reminders = await tx.execute(sql`
    update reminders set web_user_id = ${intoId}
    where web_user_id = ${fromId} and not exists (select from reminders where web_user_id = ${intoId})`)
  return reminders > 0
}

/** Returns reassigned reminder settings. The other person keeps those changed since. */
async function returnReminders(tx: Queryable, { id, fromId, intoId }: Merge): Promise<void> {
  const columns = sql.raw(
    'changes_by_mail, changes_by_push, lesson_eve_by_mail, lesson_eve_by_push, opening_by_mail, opening_by_push, waiting_by_mail, waiting_by_push, lesson_places_by_mail, lesson_places_by_push, report_weekly, report_monthly, report_week, report_month, changed_at',
  )
  await tx.execute(sql`
    insert into reminders (web_user_id, ${columns}) select ${fromId}, ${columns} from reminders where web_user_id = ${intoId}
    on conflict do nothing`)
  await tx.execute(sql`
    delete from reminders r using merges m where m.id = ${id} and r.web_user_id = ${intoId} and r.changed_at < m.merged_at`)
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
 * Reassigns the guest places of the duplicate person to the remaining one. Of two in one lesson, one is free again. Who
 * is now the guest of the own place attends with it, as if it had never been freed. The bookings have to be merged.
 */
export async function mergeGuestPlaces(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    with own as (
      update freed_places f set ended_at = clock_timestamp() from bookings b
      where b.id = f.booking_id and b.web_user_id = ${intoId} and f.guest_id in (${fromId}, ${intoId})
        and f.ended_at is null and f.held_at > localtimestamp
      returning f.booking_id, f.course_date_id
    )
    update bookings b set absence_days = b.absence_days - o.lessons::text[],
      announced_absences = array(select unnest(b.announced_absences) except select unnest(o.lessons))
    from (select booking_id, array_agg(course_date_id) as lessons from own group by 1) o where b.id = o.booking_id`)
  await tx.execute(sql`
    update freed_places f set guest_id = null, taken_at = null, offered_at = clock_timestamp()
    where f.guest_id = ${fromId} and f.ended_at is null and exists (
      select from freed_places o where o.course_date_id = f.course_date_id and o.guest_id = ${intoId} and o.ended_at is null)`)
  await tx.execute(sql`update freed_places set guest_id = ${intoId} where guest_id = ${fromId}`)
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

/** Rows that a merge reassigns: name, table, key that identifies a row, and the column with the account. */
const MOVED_TABLES = [
  ['bookings', 'bookings', 'id', 'web_user_id'],
  ['attendances', 'attendances', 'course_date_id', 'web_user_id'],
  ['attendance_changes', 'attendance_changes', 'change_id', 'web_user_id'],
  ['recorded_changes', 'attendance_changes', 'change_id', 'recorded_by'],
  ['inbox_items', 'inbox_items', 'id', 'web_user_id'],
  ['ledger_accounts', 'ledger_accounts', 'id', 'web_user_id'],
  ['follows', 'follows', 'id', 'web_user_id'],
  ['outbox', 'outbox', 'id', 'web_user_id'],
  ['letters', 'letters', 'id', 'web_user_id'],
  ['desk_messages', 'desk_messages', 'id', 'person_id'],
  ['office_reads', 'office_reads', 'id', 'web_user_id'],
  ['freed_places', 'freed_places', 'id', 'guest_id'],
  ['office_record_people', 'office_record_people', 'record_number', 'web_user_id'],
] as const

/** Keys of the rows that a merge reassigns, as text, by name, and what else separating has to restore. */
export type MovedRows = Partial<Record<(typeof MOVED_TABLES)[number][0], string[]>> & {
  ended?: EndedBooking[]
  hasReminders?: boolean
}

/** Rows that a merge is about to reassign, except those that the remaining person has as well. */
export async function listMovedRows(tx: Queryable, fromId: number, intoId: number): Promise<MovedRows> {
  const moved: MovedRows = {}
  for (const [name, ...words] of MOVED_TABLES) {
    const [table, key, person] = words.map(one => sql.raw(one)) as [SqlFragment, SqlFragment, SqlFragment]
    const rows = await tx.query<{ key: string }>(sql`
      select a.${key}::text as key from ${table} a where a.${person} = ${fromId} and not exists (
        select from ${table} b where b.${person} = ${intoId} and b.${key} = a.${key})`)
    moved[name] = rows.map(row => row.key)
  }
  return moved
}

/** The remaining person of a merge and those into whom that person was merged in turn, the last one last. */
export const listHeirs = async (tx: Queryable, { intoId }: Merge): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      with recursive heir as (
        select ${intoId}::int as id, 1 as step
        union all select m.into_id, h.step + 1 from heir h join merges m on m.from_id = h.id where h.step < 100
      )
      select id from heir order by step`)
  ).map(({ id }) => id)

/**
 * Returns rows that a merge reassigned, as far as the remaining person still has them.
 * @param heirs the remaining person, and those into whom that person was merged
 */
export async function returnMovedRows(tx: Queryable, merge: Merge, heirs: readonly number[]): Promise<void> {
  const { fromId, fromEmail, moved } = merge
  for (const [name, table, key, person] of MOVED_TABLES)
    await tx.execute(sql`
      update ${sql.raw(table)} set ${sql.raw(person)} = ${fromId}
      where ${sql.raw(person)} = any(${[...heirs]}::int[]) and ${sql.raw(key)}::text = any(${moved[name] ?? []}::text[])`)
  if (moved.hasReminders) await returnReminders(tx, merge)
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
