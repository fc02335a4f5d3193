import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { createPushContent } from '#server/platform/outbox/push-transport.ts'
import { withPortalDatabase } from './past-season.ts'

/** Titles of a person's queued push notifications, as a locked phone shows them. */
export async function listPushTitles(db: Queryable, webUserId: number): Promise<string[]> {
  // Alerts without an outbox row are not sent: the first number on a waiting list only serves for comparison.
  const alerts = await db.query<Parameters<typeof createPushContent>[0]>(sql`
    select a.kind, a.payload, a.id as "alertId", u.language
    from alerts a join outbox o on o.alert_id = a.id join web_users u on u.id = a.web_user_id
    where u.id = ${webUserId} order by a.id`)
  return alerts.map(alert => createPushContent(alert).title)
}

/**
 * Titles of a person's push notifications up to the evening of a day. The reminders of that evening are queued in a
 * transaction that is rolled back, because they include those of other people.
 * @param eve 'YYYY-MM-DD'
 */
export async function listPushTitlesUntil(dataDir: string, email: string, eve: string): Promise<string[]> {
  let titles: string[] = []
  const rollback = new Error('rolled back')
  await withPortalDatabase(dataDir, db =>
    db.transaction(async tx => {
      // 18:30 UTC is in the evening in Germany in summer and in winter.
      for (const at of [null, new Date(`${eve}T18:30:00Z`)]) await queueDueReminders(tx, at)
      const { id } = await tx.one<{ id: number }>(sql`select id from web_users where email = ${email}`)
      titles = await listPushTitles(tx, id)
      throw rollback
    }),
  ).catch(error => {
    if (error !== rollback) throw error
  })
  return titles
}
