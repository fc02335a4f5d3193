import type { ServerContext } from '#server/context.ts'
import { expectTask, noteTaskDone } from '#server/metrics/registry.ts'
import { repeat, startWork } from '#server/rest.ts'
import { tellWhatIsDue } from './due.ts'

const LOOK_MS = 30_000

/** Looks twice a minute for what is due; any number of servers may. @returns how to stop: waits for the look under way */
export function startReminders({ db, log, wakeMailer }: Pick<ServerContext, 'db' | 'log' | 'wakeMailer'>): {
  stop(): Promise<void>
} {
  expectTask('reminders')
  const look = async () => {
    try {
      if ((await tellWhatIsDue(db)) > 0) wakeMailer()
      noteTaskDone('reminders')
    } catch (error) {
      log.error({ err: error }, 'reminders wait for the next look')
    }
  }
  return startWork(stopping => repeat(look, LOOK_MS, stopping))
}
