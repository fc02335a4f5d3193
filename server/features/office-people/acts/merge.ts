import { type Queryable, sql } from '#server/db/client.ts'
import { updatePricesOfVerified } from '#server/features/bookings/repository.ts'
import { promoteWaiting } from '#server/features/bookings/service.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { SECRET_KINDS } from '#server/mail/kinds.ts'

type Doubled = {
  courseId: number
  ownId: number
  otherId: number
  ownState: number
  otherState: number
  ownSeq: number
  otherSeq: number
}

/** Of two bookings of one course the kept one gets the earlier number; the numbers of a course have no gap. */
async function giveEarlierOrder(tx: Queryable, kept: number, ended: number): Promise<void> {
  const swapped = await tx.query<{ kept: number; ended: number }>(sql`
    select k.seq as kept, e.seq as ended from bookings k join bookings e on e.id = ${ended} where k.id = ${kept} and e.seq < k.seq`)
  for (const seq of swapped) {
    await tx.execute(sql`update bookings set seq = -seq where id = ${kept}`)
    await tx.execute(sql`update bookings set seq = ${seq.kept} where id = ${ended}`)
    await tx.execute(sql`update bookings set seq = ${seq.ended} where id = ${kept}`)
  }
}

/** Both in one course: the better state and the earlier order stay, in the booking that stays. */
async function joinBookings(tx: Queryable, fromId: number, intoId: number): Promise<Doubled[]> {
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
    await giveEarlierOrder(tx, kept, ended)
    await tx.execute(sql`update courses set taken = taken - 1, revision = revision + 1 where id = ${courseId}`)
  }
  return doubled
}

/** What was written, and what waits to be sent, which goes to the address that stays; what opens an account opens none any more. */
async function mergeLetters(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(
    sql`delete from mails where web_user_id = ${fromId} and sent_at is null and kind = any(${SECRET_KINDS})`,
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

/** What is followed, and of what to be told where the account that stays says nothing itself. */
async function mergeWishes(tx: Queryable, fromId: number, intoId: number): Promise<void> {
  await tx.execute(sql`
    update follows a set web_user_id = ${intoId} where web_user_id = ${fromId} and not exists (
      select from follows b where b.web_user_id = ${intoId} and (b.course_id, b.category_id, b.season_id)
        is not distinct from (a.course_id, a.category_id, a.season_id))`)
  await tx.execute(sql`
    update reminders set web_user_id = ${intoId}
    where web_user_id = ${fromId} and not exists (select from reminders where web_user_id = ${intoId})`)
}

/** One person with two accounts: everything of the first goes over to the second, whose e-mail, login and rights stay. */
export const mergePeople: ActHandler<'merge-people'> = async (desk, { webUserId, intoWebUserId }) => {
  const { tx } = desk
  if (webUserId === intoWebUserId) desk.fail('failed.samePerson')
  // Courses before people, as in a booking.
  const courses = await tx.query<{ id: number }>(sql`
    select id from courses where id in (
      select course_id from bookings where web_user_id in (${webUserId}, ${intoWebUserId}) and cancelled_at is null)
    order by id for no key update`)
  for (const id of [webUserId, intoWebUserId].sort((a, b) => a - b)) {
    if (id === webUserId) await desk.open('web_users', id)
    else await desk.touch('web_users', id)
  }
  const { gone } = await tx.one<{ gone: number }>(sql`
    select count(*) as gone from web_users where id in (${webUserId}, ${intoWebUserId}) and deleted_at is not null`)
  if (gone > 0) desk.fail('failed.deleted')
  // Rights are those of the account that stays: nobody loses one by the way.
  if ((await tx.query(sql`select from office_rights where web_user_id = ${webUserId}`)).length > 0)
    desk.fail('failed.hasRights')
  const doubled = await joinBookings(tx, webUserId, intoWebUserId)
  await tx.execute(sql`update bookings set web_user_id = ${intoWebUserId} where web_user_id = ${webUserId}`)
  for (const { id } of courses) await promoteWaiting(tx, id, desk.config.region)
  // Where both have a mark for one lesson, present counts, else the newer one.
  await tx.execute(sql`
    update attendances b set is_present = case when a.is_present or b.is_present then true
        when a.changed_at > b.changed_at then a.is_present else b.is_present end,
      changed_at = greatest(a.changed_at, b.changed_at)
    from attendances a
    where a.course_date_id = b.course_date_id and a.web_user_id = ${webUserId} and b.web_user_id = ${intoWebUserId}`)
  await tx.execute(sql`
    delete from attendances a where web_user_id = ${webUserId} and exists (
      select from attendances b where b.course_date_id = a.course_date_id and b.web_user_id = ${intoWebUserId})`)
  await tx.execute(sql`update attendances set web_user_id = ${intoWebUserId} where web_user_id = ${webUserId}`)
  await tx.execute(sql`update attendance_changes set web_user_id = ${intoWebUserId} where web_user_id = ${webUserId}`)
  await tx.execute(sql`update attendance_changes set recorded_by = ${intoWebUserId} where recorded_by = ${webUserId}`)
  await tx.execute(sql`update inbox_items set web_user_id = ${intoWebUserId} where web_user_id = ${webUserId}`)
  await tx.execute(sql`
    update web_users b set known_at = coalesce(b.known_at, case when (a.personnel_number, a.employee_status) = (b.personnel_number, b.employee_status) then a.known_at end)
    from web_users a where a.id = ${webUserId} and b.id = ${intoWebUserId}`)
  await updatePricesOfVerified(tx, [intoWebUserId])
  await tx.execute(sql`update company_accounts set web_user_id = ${intoWebUserId} where web_user_id = ${webUserId}`)
  await mergeLetters(tx, webUserId, intoWebUserId)
  await mergeWishes(tx, webUserId, intoWebUserId)
  await tx.execute(sql`
    update office_record_people p set web_user_id = ${intoWebUserId}
    where web_user_id = ${webUserId} and not exists (
      select from office_record_people o where o.web_user_id = ${intoWebUserId} and o.record_number = p.record_number)`)
  await tx.execute(sql`update office_reads set web_user_id = ${intoWebUserId} where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from web_users where id = ${webUserId}`)
  desk.made('web_users', intoWebUserId)
  desk.concern({ courses: courses.map(({ id }) => id), people: [intoWebUserId] })
  desk.note({ objects: { webUserId, intoWebUserId }, after: { doubled: doubled.length } })
  return { webUserId: intoWebUserId }
}
