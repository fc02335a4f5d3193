import { keepDeletions } from '#server/backup/deleted-accounts.ts'
import type { ServerContext } from '#server/context.ts'
import { sql } from '#server/db/client.ts'
import { sweepMailFolder } from '#server/mail/folder.ts'
import { noteJob } from '#server/metrics/registry.ts'
import { rest } from '#server/rest.ts'
import { trace } from '#server/traces/trace.ts'
import { cleanStoredPictures } from './clean-pictures.ts'
import { takeHrList } from './hr-folder.ts'
import { runRetention } from './retention.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * Every hour: retention, mail files, the list of deleted accounts, the HR list; once old pictures.
 * @returns stops after the run under way
 */
export function startJobs({ db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()

  const runOnce = async () => {
    try {
      const { now } = await db.one<{ now: Date }>(sql`select clock_timestamp() as now`)
      const table = await runRetention({ db, now })
      const gone = table?.filter(({ rows }) => rows > 0) ?? []
      const mailFiles = await sweepMailFolder(db, config.dataDir)
      if (gone.length > 0 || mailFiles > 0) log.info({ gone, mailFiles }, 'retention')
      noteJob('retention')
    } catch (error) {
      log.error({ err: error }, 'retention failed, to be tried again in an hour')
    }
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await trace('job', 'job retention', {}, runOnce)
      await rest(HOUR_MS, stopping.signal)
    }
  }
  const keep = async () => {
    while (!stopping.signal.aborted) {
      await trace('job', 'job deletions', {}, () => keepDeletions(db, config.dataDir)).then(
        () => noteJob('deletions'),
        error => log.error({ err: error }, 'deletions not kept'),
      )
      await rest(MINUTE_MS, stopping.signal)
    }
  }
  const takeLists = async () => {
    while (!stopping.signal.aborted) {
      await trace('job', 'job hr-list', {}, () => takeHrList({ db, config, log })).then(
        () => noteJob('hr-list'),
        error => log.error({ err: error }, 'the HR list cannot be taken, to be tried again in a minute'),
      )
      await rest(MINUTE_MS, stopping.signal)
    }
  }
  const clean = () =>
    cleanStoredPictures(db, log, stopping.signal).catch(error => {
      log.error({ err: error }, 'stored pictures keep their metadata until the next start')
    })
  const ended = Promise.all([run(), keep(), takeLists(), clean()])
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
