import { endExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { expectTask, noteTaskDone } from '#server/metrics/registry.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { repeat, startWork } from '#server/runtime/rest.ts'
import { queueDueReminders } from './due-reminders.ts'

const LOOK_MS = 30_000

/**
 * Twice a minute: ends expired waiting lists and sends due reminders; any number of servers may run it.
 * @returns how to stop: waits for the run in progress
 */
export function startReminderScheduler({
  db,
  config,
  log,
  wakeMailer,
}: Pick<ServerContext, 'db' | 'config' | 'log' | 'wakeMailer'>): {
  stop(): Promise<void>
} {
  expectTask('reminders')
  const look = async () => {
    try {
      const ended = await endExpiredWaitingLists(db, config.region)
      if ((await queueDueReminders(db)) + ended > 0) wakeMailer()
      noteTaskDone('reminders')
    } catch (error) {
      log.error({ err: error }, 'reminders wait for the next look')
    }
  }
  return startWork(stopping => repeat(look, LOOK_MS, stopping))
}
