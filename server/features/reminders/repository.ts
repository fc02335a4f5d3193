import webPush from 'web-push'
import { DEFAULT_LESSON_PLACES, type FollowedItem, type Reminders } from '#contract/endpoints/reminders.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

const COLUMNS = { course: sql`course_id`, category: sql`category_id`, season: sql`season_id` }
const VISIBLE = {
  course: sql`courses t join seasons s on s.id = t.season_id where s.viewable_from <= clock_timestamp() and not s.is_draft`,
  category: sql`categories t where true`,
  season: sql`seasons t where t.viewable_from <= clock_timestamp() and not t.is_draft`,
}

export const listFollowedItems = (db: Queryable, webUserId: number): Promise<FollowedItem[]> =>
  db.query(sql`
    select case when course_id is not null then 'course' when category_id is not null then 'category' else 'season' end as kind,
      coalesce(course_id, category_id, season_id) as id
    from follows where web_user_id = ${webUserId} order by created_at, follows.id`)

export const countFollowedItems = async (db: Queryable, webUserId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int from follows where web_user_id = ${webUserId}`)).count

/**
 * Records that a person follows a course, category or season.
 * @returns whether the referenced row exists
 */
export async function insertFollowedItem(
  db: Queryable,
  webUserId: number,
  { kind, id }: FollowedItem,
): Promise<boolean> {
  const { isThere } = await db.one<{ isThere: boolean }>(sql`
    with thing as (
      select t.id from ${VISIBLE[kind]} and t.id = ${id}
    ), followed as (
      insert into follows (web_user_id, ${COLUMNS[kind]}) select ${webUserId}, id from thing on conflict do nothing
    )
    select exists (select from thing) as "isThere"`)
  return isThere
}

export const deleteFollowedItem = (db: Queryable, webUserId: number, { kind, id }: FollowedItem): Promise<number> =>
  db.execute(sql`delete from follows where web_user_id = ${webUserId} and ${COLUMNS[kind]} = ${id}`)

/** null: default settings */
export const findReminders = async (db: Queryable, webUserId: number): Promise<Reminders | null> =>
  (
    await db.maybeOne<{ reminders: Reminders }>(sql`
      select json_strip_nulls(json_build_object(
        'changes', json_build_object('mail', changes_by_mail, 'push', changes_by_push),
        'lessonEve', json_build_object('mail', lesson_eve_by_mail, 'push', lesson_eve_by_push),
        'opening', json_build_object('mail', opening_by_mail, 'push', opening_by_push),
        'waiting', json_build_object('mail', waiting_by_mail, 'push', waiting_by_push),
        'lessonPlaces', case when not lesson_places_by_mail or lesson_places_by_push
          then json_build_object('mail', lesson_places_by_mail, 'push', lesson_places_by_push) end,
        'officeReport', case when report_weekly or report_monthly
          then json_build_object('weekly', report_weekly, 'monthly', report_monthly) end)) as reminders
      from reminders where web_user_id = ${webUserId}`)
  )?.reminders ?? null

export const saveReminders = (
  db: Queryable,
  webUserId: number,
  { changes, lessonEve, opening, waiting, lessonPlaces, officeReport }: Reminders,
): Promise<number> =>
  db.execute(sql`
    insert into reminders (web_user_id, changes_by_mail, changes_by_push, lesson_eve_by_mail, lesson_eve_by_push,
      opening_by_mail, opening_by_push, waiting_by_mail, waiting_by_push, lesson_places_by_mail, lesson_places_by_push, report_weekly, report_monthly)
    values (${webUserId}, ${changes.mail}, ${changes.push}, ${lessonEve.mail}, ${lessonEve.push},
      ${opening.mail}, ${opening.push}, ${waiting.mail}, ${waiting.push},
      ${lessonPlaces?.mail ?? DEFAULT_LESSON_PLACES.mail}, ${lessonPlaces?.push ?? DEFAULT_LESSON_PLACES.push},
      ${officeReport?.weekly ?? false}, ${officeReport?.monthly ?? false})
    on conflict (web_user_id) do update
    set changes_by_mail = excluded.changes_by_mail, changes_by_push = excluded.changes_by_push,
      lesson_eve_by_mail = excluded.lesson_eve_by_mail, lesson_eve_by_push = excluded.lesson_eve_by_push,
      opening_by_mail = excluded.opening_by_mail, opening_by_push = excluded.opening_by_push,
      waiting_by_mail = excluded.waiting_by_mail, waiting_by_push = excluded.waiting_by_push,
      lesson_places_by_mail = coalesce(${lessonPlaces?.mail ?? null}, reminders.lesson_places_by_mail),
      lesson_places_by_push = coalesce(${lessonPlaces?.push ?? null}, reminders.lesson_places_by_push),
      report_weekly = coalesce(${officeReport?.weekly ?? null}, reminders.report_weekly),
      report_monthly = coalesce(${officeReport?.monthly ?? null}, reminders.report_monthly),
      changed_at = clock_timestamp()`)

/** People who have chosen the weekly report by e-mail. */
export const listWeeklyReportReaders = async (db: Queryable): Promise<number[]> =>
  (await db.query<{ id: number }>(sql`select web_user_id as id from reminders where report_weekly`)).map(({ id }) => id)

/** Serializes changes of a person's reminders. @returns false for a deleted account */
export const lockReminders = async (tx: Queryable, webUserId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from web_users where id = ${webUserId} and deleted_at is null for no key update`)) !== null

export const findUnsubscribeSecret = async (db: Queryable): Promise<Buffer> =>
  (await db.one<{ value: Buffer }>(sql`select value from secrets where name = 'unsubscribe'`)).value

/** Maximum number of push subscriptions per person. The oldest is removed. */
const MOST_SUBSCRIPTIONS = 10

export type NewPushSubscription = { endpoint: string; p256dh: string; auth: string }

/** Stores a push subscription. A browser belongs to the person who most recently subscribed in it. */
export const savePushSubscription = (
  db: Queryable,
  webUserId: number,
  { endpoint, p256dh, auth }: NewPushSubscription,
): Promise<number> =>
  db.execute(sql`
    with saved as (
      insert into push_subscriptions (web_user_id, endpoint, p256dh, auth)
      values (${webUserId}, ${endpoint}, ${p256dh}, ${auth})
      on conflict (endpoint) do update
      set web_user_id = excluded.web_user_id, p256dh = excluded.p256dh, auth = excluded.auth, created_at = clock_timestamp()
    )
    delete from push_subscriptions where id in (
      select id from push_subscriptions where web_user_id = ${webUserId} and endpoint <> ${endpoint}
      order by created_at desc, id desc offset ${MOST_SUBSCRIPTIONS - 1})`)

export const deletePushSubscription = (db: Queryable, webUserId: number, endpoint: string): Promise<number> =>
  db.execute(sql`delete from push_subscriptions where web_user_id = ${webUserId} and endpoint = ${endpoint}`)

type PushKeys = { publicKey: string; privateKey: string }

/** Returns the portal's VAPID key pair. The first server that needs it creates it. */
export async function findPushKeys(db: Queryable): Promise<PushKeys> {
  const find = () => db.maybeOne<{ value: Buffer }>(sql`select value from secrets where name = 'push-keys'`)
  const stored = await find()
  if (stored) return JSON.parse(stored.value.toString())
  const generated = Buffer.from(JSON.stringify(webPush.generateVAPIDKeys()))
  await db.execute(sql`insert into secrets values ('push-keys', ${generated}) on conflict do nothing`)
  return JSON.parse((await find())?.value.toString() ?? '')
}
