import { queueDueReminders } from '#server/operations/due-reminders.ts'
import { sql } from '#server/platform/db/client.ts'
import { createPushContent } from '#server/platform/outbox/push-transport.ts'
import { withPortalDatabase } from './past-season.ts'

/**
 * Titles of a person's push notifications until the evening of a day, as a locked phone shows them. Reminders are queued
 * in a transaction that is rolled back, because those of other people are due later.
 * @param eve 'YYYY-MM-DD'
 */
export async function readLockScreen(dataDir: string, email: string, eve: string): Promise<string[]> {
  let titles: string[] = []
  const rollback = new Error('rolled back')
  await withPortalDatabase(dataDir, db =>
    db.transaction(async tx => {
      // In the evening in Germany, in summer and in winter.
      for (const at of [null, new Date(`${eve}T18:30:00Z`)]) await queueDueReminders(tx, at)
      const alerts = await tx.query<Parameters<typeof createPushContent>[0]>(sql`
        select a.kind, a.payload, a.id as "alertId", u.language
        from alerts a join outbox o on o.alert_id = a.id join web_users u on u.id = a.web_user_id
        where u.email = ${email} order by a.id`)
      titles = alerts.map(alert => createPushContent(alert).title)
      throw rollback
    }),
  ).catch(error => {
    if (error !== rollback) throw error
  })
  return titles
}
