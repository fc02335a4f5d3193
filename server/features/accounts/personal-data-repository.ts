import { getInboxFile } from '#contract/endpoints/inbox.ts'
import type { PersonalData } from '#contract/endpoints/personal-data.ts'
import { isAbsenceAnnounced } from '#server/features/lessons/participant-repository.ts'
import { findReminders } from '#server/features/reminders/repository.ts'
import { accountRights } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { DueMail, DuePush } from '#server/platform/outbox/outbox.ts'
import type { ThrottleKind } from '#server/platform/throttle/repository.ts'
import type { MailedLinkPurpose } from './token-repository.ts'

type List<
  Part extends
    | (
        | 'accountChanges'
        | 'bookings'
        | 'guestPlaces'
        | 'attendance'
        | 'attendanceChanges'
        | 'messages'
        | 'sessions'
        | 'devices'
      )
    | ('consents' | 'rights' | 'companyAccounts' | 'passkeys' | 'letters' | 'reads' | 'unsentMessages'),
> = Promise<PersonalData[Part]>
/** Entries of one part of the export, with `kind` narrowed to `Kind`. */
type OfKind<Part extends 'securityEvents', Kind> = Promise<
  (Omit<PersonalData[Part][number], 'kind'> & { kind: Kind })[]
>

/** SQL for a timestamp in the portal's time zone, with a precision of one second. */
const at = (column: string) => sql`to_char(${sql.raw(column)}, 'YYYY-MM-DD HH24:MI:SS')`

/** SQL for the timestamp of an attendance entry. Older entries are truncated to the day. */
const tapAt = (column: string) =>
  sql`case when a.is_day_only then to_char(${sql.raw(column)}, 'YYYY-MM-DD') else ${at(column)} end`

/** Sets the isolation level to a consistent, read-only snapshot. Must be the first statement of the transaction. */
export const beginReadOnlySnapshot = (tx: Queryable): Promise<number> =>
  tx.execute(sql`set transaction isolation level repeatable read, read only`)

export const findExportedAccount = (db: Queryable, webUserId: number): Promise<PersonalData['account']> =>
  db.one(sql`
    select u.state, u.language, ${at('u.known_at')} as "knownAt", ${at('u.created_at')} as "registeredAt", ${at('u.confirmed_at')} as "activatedAt",
      ${at('(select max(b.booked_at) from bookings b where b.web_user_id = u.id)')} as "lastBookedAt", d.name as division, u.is_password_to_change as "isPasswordToChange",
      ${at('u.reset_expires_at')} as "mailedPasswordUntil"
    from web_users u left join divisions d on d.id = u.division_id where u.id = ${webUserId}`)

export const listOwnBookings = (db: Queryable, webUserId: number): List<'bookings'> =>
  db.query(sql`
    select c.number, c.name, c.starts_on as "startsOn", c.ends_on as "endsOn",
      case b.state when 1 then 'booked' else 'waiting list' end as state, (b.price_cents + b.energy_cents) / 100.0 as "priceEuro",
      b.price_rule as "priceRule", (b.price_cents_once_verified + b.energy_cents) / 100.0 as "priceEuroOnceVerified", b.employee_status as "employeeStatus", b.personnel_number as "personnelNumber",
      b.owner_personnel_number as "ownerPersonnelNumber", b.billing_type as "billingType", b.division_id as "divisionId",
      b.is_person_known as "isPersonKnown",
      ${at('b.booked_at')} as "bookedAt", ${at('b.promoted_at')} as "placeFreedAt", ${at('b.cancelled_at')} as "cancelledAt", b.charge,
      b.charge_cents / 100.0 as "chargeEuro",
      array(select ${at('d.held_at')} from course_dates d where d.course_id = b.course_id and ${isAbsenceAnnounced} order by d.held_at)
        as "absencesAnnounced"
    from bookings b join courses c on c.id = b.course_id where b.web_user_id = ${webUserId} order by b.booked_at`)

export const listOwnConsents = (db: Queryable, webUserId: number): List<'consents'> =>
  db.query(sql`
    select kind, version, ${at('given_at')} as "givenAt", ${at('withdrawn_at')} as "withdrawnAt"
    from consents where web_user_id = ${webUserId} order by id`)

/** Places of single lessons that a person has freed or taken. Neither names the other person. */
export const listOwnGuestPlaces = (db: Queryable, webUserId: number): List<'guestPlaces'> =>
  db.query(sql`
    select c.number, c.name, ${at('f.held_at')} as "heldAt", case when f.guest_id = ${webUserId} then 'taken' else 'freed' end as kind,
      ${at('f.offered_at')} as "offeredAt", ${at('f.taken_at')} as "takenAt"
    from freed_places f join courses c on c.id = f.course_id left join bookings b on b.id = f.booking_id
    where f.guest_id = ${webUserId} or b.web_user_id = ${webUserId} order by f.held_at, f.id`)

/** A person's recorded attendance. Withdrawn entries are omitted here and appear only among the attendance changes. */
export const listOwnAttendance = (db: Queryable, webUserId: number): List<'attendance'> =>
  db.query(sql`
    select c.number, c.name, ${at('d.held_at')} as "heldAt", a.is_present as "isPresent",
      ${tapAt('a.changed_at')} as "recordedAt"
    from attendances a join course_dates d on d.id = a.course_date_id join courses c on c.id = d.course_id
    where a.web_user_id = ${webUserId} and a.is_present is not null order by d.held_at`)

const change = sql`
  c.number, c.name, ${at('d.held_at')} as "heldAt", a.is_present as "isPresent",
  ${tapAt('a.changed_at')} as "recordedAt", ${tapAt('a.received_at')} as "arrivedAt"`
const ofChanges = sql`
  from attendance_changes a join course_dates d on d.id = a.course_date_id join courses c on c.id = d.course_id`

/** All changes to a person's attendance, including corrections. Instructors are named if their profile is public. */
export const listOwnAttendanceChanges = (db: Queryable, webUserId: number): List<'attendanceChanges'> =>
  db.query(sql`
    select ${change}, (
      select concat_ws(' ', nullif(i.given_name, ''), i.family_name) from web_users u join instructors i on i.email = u.email
      where u.id = a.recorded_by) as "recordedBy"
    ${ofChanges} where a.web_user_id = ${webUserId} order by a.received_at, a.changed_at`)

/** Attendance changes recorded by an instructor, without identifying the participants. */
export const listChangesRecordedBy = (
  db: Queryable,
  webUserId: number,
): Promise<NonNullable<PersonalData['instructor']>['changesRecorded']> =>
  db.query(sql`select ${change} ${ofChanges} where a.recorded_by = ${webUserId} order by a.received_at, a.changed_at`)

export const listOwnMessages = (db: Queryable, webUserId: number): List<'messages'> =>
  db.query(sql`
    select ${at('created_at')} as "createdAt", title, text, document_name as "documentName",
      case document_name when '' then '' else ${getInboxFile.path.replace(/:.*/, '')} || id end as "documentAddress", ${at('seen_at')} as "seenAt"
    from inbox_items where web_user_id = ${webUserId} order by created_at`)

export const listUnsentMessages = (db: Queryable, webUserId: number): List<'unsentMessages'> =>
  db.query(sql`
    select coalesce(title, '') as title, coalesce(title2, '') as title2, coalesce(text, '') as text, coalesce(text2, '') as text2,
      ${at('send_at')} as "sendAt", ${at('changed_at')} as "changedAt"
    from desk_messages m, jsonb_to_record(m.fields) as f (title text, title2 text, text text, text2 text)
    where m.person_id = ${webUserId} order by m.id`)

export const listOwnSessions = (db: Queryable, webUserId: number): List<'sessions'> =>
  db.query(sql`
    select ${at('created_at')} as "createdAt", ${at('last_used_at')} as "lastUsedAt", ${at('expires_at')} as "expiresAt",
      is_kept as "isKept", device
    from sessions where web_user_id = ${webUserId} order by created_at`)

export const listOwnDevices = (db: Queryable, webUserId: number): List<'devices'> =>
  db.query(sql`
    select ${at('created_at')} as "createdAt", ${at('last_used_at')} as "lastUsedAt"
    from known_devices where web_user_id = ${webUserId} order by created_at`)

export const listOwnAccountChanges = (db: Queryable, webUserId: number): List<'accountChanges'> =>
  db.query(sql`
    select ${at('changed_at')} as "changedAt", actor, kinds from account_changes
    where web_user_id = ${webUserId} order by id`)

export const listOwnRights = (db: Queryable, webUserId: number): List<'rights'> =>
  db.query(sql`
    select "right", ${at('since')} as "grantedAt", is_pending as "isPending" from ${accountRights} r
    where web_user_id = ${webUserId} order by 1`)

export const listOwnCompanyAccounts = (db: Queryable, webUserId: number): List<'companyAccounts'> =>
  db.query(sql`
    select issuer as provider, subject as account, ${at('joined_at')} as "joinedAt", ${at('last_login_at')} as "lastLoginAt", ${at('left_at')} as "leftAt"
    from company_accounts where web_user_id = ${webUserId} order by joined_at`)

export const listOwnPasskeys = (db: Queryable, webUserId: number): List<'passkeys'> =>
  db.query(sql`
    select name as device, ${at('created_at')} as "createdAt", ${at('last_used_at')} as "lastUsedAt"
    from passkeys where web_user_id = ${webUserId} order by created_at`)

export const listOwnLetters = (db: Queryable, webUserId: number): List<'letters'> =>
  db.query(sql`
    select kind, language, ${at('created_at')} as "createdAt", ${at('printed_at')} as "printedAt"
    from letters where web_user_id = ${webUserId} order by id`)

export const listExportedDataAccesses = (db: Queryable, webUserId: number): List<'reads'> =>
  db.query(sql`
    select ${at('read_at')} as "readAt", reader, call from office_reads where web_user_id = ${webUserId} order by id`)

export const listOwnMailedLinks = (
  db: Queryable,
  webUserId: number,
): Promise<(Omit<PersonalData['links'][number], 'purpose'> & { purpose: MailedLinkPurpose })[]> =>
  db.query(sql`
    select purpose, new_email as "newEmail", ${at('created_at')} as "createdAt", ${at('expires_at')} as "expiresAt"
    from account_tokens where web_user_id = ${webUserId} order by created_at`)

export const listOwnMails = (
  db: Queryable,
  webUserId: number,
): Promise<(Omit<PersonalData['mails'][number], 'kind' | 'subject' | 'text'> & Pick<DueMail, 'kind' | 'payload'>)[]> =>
  db.query(sql`
    select kind, payload, recipient, language, ${at('created_at')} as "createdAt", ${at('sent_at')} as "sentAt"
    from mails where web_user_id = ${webUserId} order by created_at`)

export const findOwnCalendarFeed = (db: Queryable, webUserId: number): Promise<PersonalData['calendarFeed']> =>
  db.maybeOne(sql`select ${at('created_at')} as "madeAt" from calendar_feeds where web_user_id = ${webUserId}`)

export const listOwnFollowedItems = (db: Queryable, webUserId: number): Promise<PersonalData['follows']> =>
  db.query(sql`
    select case when f.course_id is not null then 'course' when f.category_id is not null then 'category' else 'season' end as kind,
      coalesce(f.course_id, f.category_id, f.season_id) as id, coalesce(c.name, k.name, s.name) as name,
      ${at('f.created_at')} as "followedAt"
    from follows f left join courses c on c.id = f.course_id left join categories k on k.id = f.category_id
      left join seasons s on s.id = f.season_id
    where f.web_user_id = ${webUserId} order by f.created_at`)

export const findOwnReminders = async (db: Queryable, webUserId: number): Promise<PersonalData['reminders']> => {
  const reminders = await findReminders(db, webUserId)
  const row = await db.maybeOne<{ changedAt: string }>(sql`
    select ${at('changed_at')} as "changedAt" from reminders where web_user_id = ${webUserId}`)
  return reminders && row && { ...reminders, ...row }
}

export const listOwnPushDevices = (db: Queryable, webUserId: number): Promise<PersonalData['pushDevices']> =>
  db.query(sql`
    select endpoint, ${at('created_at')} as "createdAt" from push_subscriptions
    where web_user_id = ${webUserId} order by created_at`)

/**
 * Notifications of a person. Omits a booking's first number on the waiting list, which is stored to notice that it falls,
 * but was not sent.
 */
export const listOwnPushAlerts = (
  db: Queryable,
  webUserId: number,
): Promise<({ toldAt: string } & Pick<DuePush, 'alertId' | 'kind' | 'payload' | 'language'>)[]> =>
  db.query(sql`
    select a.id as "alertId", a.kind, a.payload, u.language, ${at('a.created_at')} as "toldAt"
    from alerts a join web_users u on u.id = a.web_user_id where a.web_user_id = ${webUserId} and (a.kind <> 'waiting-news' or exists (
      select from alerts e where e.web_user_id = a.web_user_id and e.kind = a.kind and e.id < a.id
        and e.payload -> 'bookingId' = a.payload -> 'bookingId'))
    order by a.id`)

/** A person's security events with IP address; they are retained for some days. */
export const listOwnSecurityEvents = (
  db: Queryable,
  webUserId: number,
  email: string,
): OfKind<'securityEvents', ThrottleKind> =>
  db.query(sql`
    select kind, case when kind in ('device', 'confirm') then '' else address end as address, ${at('happened_at')} as "happenedAt" from throttle_events
    where subject in (${email}, ${String(webUserId)}) order by happened_at`)

export const findExportedInstructor = (
  db: Queryable,
  webUserId: number,
  email: string,
): Promise<Omit<NonNullable<PersonalData['instructor']>, 'changesRecorded'> | null> =>
  db.maybeOne(sql`
    select i.family_name as "familyName", i.given_name as "givenName", i.year_of_birth as "yearOfBirth", i.courses,
      i.courses2, i.profession, i.profession2, i.hobbies, i.hobbies2, i.like_reasons as "likeReasonsInstructor",
      i.like_reasons2 as "likeReasonsInstructor2", i.favorite_workout as "favoriteWorkout",
      i.favorite_workout2 as "favoriteWorkout2", i.picture_file_name as "pictureFileName",
      i.licence, i.licence_until as "licenceUntil", i.hourly_fee_cents / 100.0 as "hourlyFee",
      array(select c.number from course_instructors t join courses c on c.id = t.course_id
        where t.email = i.email order by c.number) as "coursesTaught",
      coalesce((select jsonb_agg(jsonb_build_object('from', a.starts_on, 'to', a.ends_on) order by a.starts_on)
        from absences a where a.instructor_email = i.email), '[]') as absences,
      coalesce((select jsonb_agg(jsonb_build_object('course', c.number, 'at', o.held_at::text, 'until', s.ends_at::text, 'answer', o.answer,
          'answeredAt', date_trunc('second', o.answered_at)::timestamp::text) order by o.held_at)
        from substitute_offers o join substitute_invitations s on s.id = o.invitation_id
          join course_dates d on d.id = o.course_date_id join courses c on c.id = d.course_id
        where s.instructor_email = i.email), '[]') as "substituteRequests",
      (select count(*) from attendance_changes a where a.recorded_by = ${webUserId}) as "attendanceChangesRecorded"
    from instructors i where i.email = ${email}`)
