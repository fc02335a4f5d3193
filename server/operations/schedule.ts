import type { Logger } from 'pino'
import { refreshCertificatesAndNotify } from '#server/features/certificates/service.ts'
import { stripPictureMetadata } from '#server/features/files/pictures.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { importHrList } from '#server/identity/hr-list-import.ts'
import { saveAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { recordScheduledTask, registerScheduledTask } from '#server/platform/observability/registry.ts'
import { trace } from '#server/platform/observability/trace.ts'
import { sweepMailFolder } from '#server/platform/outbox/mail-folder.ts'
import { repeatUntilStopped, startBackgroundTask } from '#server/platform/process/background-task.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { saveDeletedAccounts } from './backup/deleted-accounts.ts'
import { closeAutomatically } from './closing.ts'
import { remindOfLicences } from './licence-reminders.ts'
import { queueOfficeReports } from './office-report.ts'
import { runRetention } from './retention.ts'

const POINTERS = [
  ['photos', 'photo_sha256'],
  ['content_items', 'picture_sha256'],
  ['content_items', 'file_sha256'],
  ['instructors', 'picture_sha256'],
  ['categories', 'icon_sha256'],
] as const

/**
 * Removes the metadata from pictures that earlier versions stored unchanged. Several servers may do this concurrently.
 * @returns number of pictures
 */
export async function cleanStoredPictures(db: Database, log: Logger, stopping: AbortSignal): Promise<number> {
  let cleaned = 0
  while (!stopping.aborted && (await db.transaction(cleanNext))) cleaned += 1
  if (cleaned > 0) log.info({ cleaned }, 'metadata taken out of stored pictures')
  return cleaned
}

async function cleanNext(tx: Queryable): Promise<boolean> {
  const picture = await tx.maybeOne<{ sha256: Buffer; mediaType: string; content: Buffer }>(sql`
    select sha256, media_type as "mediaType", content from file_contents where not is_clean limit 1 for update skip locked`)
  if (picture === null) return false
  const { sha256, mediaType, content } = picture
  const clean = await stripPictureMetadata(content)
  // Content that is not a picture contains no metadata to remove.
  if (clean === null || clean === content) {
    await tx.execute(sql`update file_contents set is_clean = true where sha256 = ${sha256}`)
    return true
  }
  const cleanSha256 = await insertFileContent(tx, mediaType, clean)
  await tx.execute(sql`update file_contents set is_clean = true where sha256 = ${cleanSha256}`)
  await tx.execute(sql`update file_sources set sha256 = ${cleanSha256} where sha256 = ${sha256}`)
  for (const [table, column] of POINTERS) {
    await tx.execute(sql`
      update ${sql.raw(table)} set ${sql.raw(column)} = ${cleanSha256} where ${sql.raw(column)} = ${sha256}`)
  }
  // The same content may also be a person's document, which must remain unchanged.
  await tx.execute(sql`update file_contents set is_clean = true where sha256 = ${sha256}`)
  return true
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * Starts the scheduled jobs:
 * - every hour, delete data whose retention period has ended, and the files of deleted e-mails
 * - every hour, remind and settle ended courses, if the department has switched this on
 * - every hour, remind instructors whose licence ends soon
 * - every hour, queue the reports by e-mail that are due
 * - every ten minutes, refresh the certificates
 * - every minute, save the list of deleted accounts and the audit anchor in DATA_DIR, and import a new HR list
 * - once, remove the metadata from pictures that earlier versions stored
 * @returns object whose `stop` stops the jobs and waits for the current runs
 */
export function startJobs({ db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>): {
  stop(): Promise<void>
} {
  const sweep = async () => {
    const { now } = await db.one<{ now: Date }>(sql`select clock_timestamp() as now`)
    const table = await runRetention({ db, now })
    const gone = table?.filter(({ rows }) => rows > 0) ?? []
    const mailFiles = await sweepMailFolder(db, config.dataDir)
    if (gone.length > 0 || mailFiles > 0) log.info({ gone, mailFiles }, 'retention')
  }
  const doJob = (task: string, work: () => Promise<unknown>, trouble: string) => {
    registerScheduledTask(task)
    return () =>
      trace('job', `job ${task}`, {}, work).then(
        () => recordScheduledTask(task),
        error => log.error({ err: error }, trouble),
      )
  }
  const retain = doJob('retention', sweep, 'retention failed, to be tried again in an hour')
  const keep = doJob('deletions', () => saveDeletedAccounts(db, config.dataDir), 'deletions not kept')
  const anchor = doJob(
    'audit-anchor',
    () => saveAuditAnchor(db, config.dataDir),
    'the audit log is not anchored outside its table',
  )
  const takeList = doJob(
    'hr-list',
    () => importHrList({ db, config, log }),
    'the HR list cannot be imported, retrying in a minute',
  )
  const refresh = doJob(
    'certificates',
    () => db.transaction(tx => refreshCertificatesAndNotify(tx, null)),
    'certificates not compared with attendance, retrying in ten minutes',
  )
  const close = doJob(
    'closing',
    () => closeAutomatically({ db, config }),
    'courses were neither reminded nor settled, retrying in an hour',
  )
  const renew = doJob(
    'licences',
    () => remindOfLicences(db),
    'instructors were not reminded of their licences, retrying in an hour',
  )
  const report = doJob('office-reports', () => queueOfficeReports(db), 'reports were not queued, retrying in an hour')
  const clean = (stopping: AbortSignal) =>
    cleanStoredPictures(db, log, stopping).catch(error => {
      log.error({ err: error }, 'stored pictures keep their metadata until the next start')
    })
  return startBackgroundTask(stopping =>
    Promise.all([
      repeatUntilStopped(retain, HOUR_MS, stopping),
      repeatUntilStopped(keep, MINUTE_MS, stopping),
      repeatUntilStopped(anchor, MINUTE_MS, stopping),
      repeatUntilStopped(takeList, MINUTE_MS, stopping),
      repeatUntilStopped(refresh, 10 * MINUTE_MS, stopping),
      repeatUntilStopped(close, HOUR_MS, stopping),
      repeatUntilStopped(renew, HOUR_MS, stopping),
      repeatUntilStopped(report, HOUR_MS, stopping),
      clean(stopping),
    ]),
  )
}
