import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { createMailSecretCache } from './features/accounts/mail-secret-service.ts'
import { createBookingBatcher } from './features/bookings/booking-batch-service.ts'
import { createCalendarService } from './features/calendar/service.ts'
import { findInvoicePdf } from './features/money/invoice-repository.ts'
import { loadDemoProgramme } from './features/programme/demo.ts'
import { describeDemoAccounts, disableDemoAccounts, hasOtherAccounts } from './features/programme/demo-accounts.ts'
import { findPushKeys } from './features/reminders/repository.ts'
import { findUnsubscribeUrl } from './features/reminders/service.ts'
import { compressInBackground, ensureAppBuilt } from './first-view/app-build.ts'
import { assertNoUnfinishedRestore } from './operations/backup/backup-state.ts'
import { startReminderScheduler } from './operations/due-reminders.ts'
import { readOfficeReport } from './operations/office-report.ts'
import { addPortalGauges } from './operations/portal-gauges.ts'
import { startJobs } from './operations/schedule.ts'
import {
  type Config,
  commandLine,
  isSystemdNotifyExpected,
  listenUrl,
  readConfig,
  VERSION,
} from './platform/config/config.ts'
import { type Database, sql } from './platform/db/client.ts'
import { awaitDatabase } from './platform/db/connect.ts'
import { findNewestMigration, migrate, migrationsFolder } from './platform/db/migrate.ts'
import { explainUnavailable } from './platform/db/unavailable.ts'
import { findAvailablePort, lockListenAddress } from './platform/http/listen.ts'
import { startMetrics } from './platform/http/metrics-listener.ts'
import { enableOutgoingProxy } from './platform/http/outgoing-proxy.ts'
import { createLog } from './platform/observability/log.ts'
import { startTraces } from './platform/observability/start.ts'
import { mailFolderOf } from './platform/outbox/mail-folder.ts'
import { openMailTransport } from './platform/outbox/mail-transport.ts'
import { findOutgoingSuspensionStart } from './platform/outbox/outbox.ts'
import { openPushTransport } from './platform/outbox/push-transport.ts'
import { startSender } from './platform/outbox/sender.ts'
import { openWebhookTransport } from './platform/outbox/webhook-transport.ts'
import { prepareDataDir, restrictDataDir } from './platform/postgres/data-dir.ts'
import { verifyDataFiles } from './platform/process/data-files.ts'
import { warnOfLowDescriptorLimit, watchDescriptorExhaustion } from './platform/process/file-descriptors.ts'
import { chooseUnprivilegedAccount, dropPrivileges } from './platform/runtime/drop-privileges.ts'
import { describeOutdatedVersions } from './platform/runtime/outdated-version-warnings.ts'
import { startWorkers, type Workers } from './platform/runtime/processes.ts'
import { createSharedLimits } from './platform/throttle/token-buckets.ts'
import { notifySystemdReady, type Shutdown, serveApp, shutDownOnSignals } from './serve.ts'

/** Maximum time in ms to wait for pending responses during shutdown. */
const PATIENCE_MS = 10_000

/**
 * Starts the portal. It accepts requests only when everything is ready. See docs/decisions/0015.
 * @throws StartError for errors that the operator can fix
 * @param options `--api-only` omits the built app, for `npm run dev`
 */
export async function run(options: string[]): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const stop = shutDownOnSignals(log)
  try {
    await start(config, log, stop, options.includes('--api-only'))
  } catch (error) {
    // It is not an error if a shutdown interrupts the startup.
    if (stop.signal.aborted) return
    await stop.closeAll()
    throw explainUnavailable(error)
  }
}

async function start(settings: Config, log: Logger, stop: Shutdown, isApiOnly: boolean): Promise<void> {
  if (settings.smtpUrl === null) {
    const folder = await prepareDataDir(settings.dataDir)
    // Opening an embedded database chooses the account that owns its folder, so the folder's permissions must not be
    // restricted before that.
    if (settings.databaseUrl !== null) await restrictDataDir(folder)
  }
  await verifyDataFiles(settings.dataDir)
  enableOutgoingProxy(settings)
  const steps = createSteps()
  const app = isApiOnly ? null : buildApp(stop, steps)
  await warnOfLowDescriptorLimit(log)
  watchDescriptorExhaustion(log)
  const openedSince = performance.now()
  const opening = awaitDatabase(
    settings,
    {
      role: 'portal',
      processLabel: settings.publicUrl,
      onLost: error => stop.fail(error, 'the database is lost'),
    },
    { stopping: stop.signal, onAway: reason => console.error(`${reason}. The portal starts when it is there.`) },
  )
  // A shutdown during startup waits until the database has been opened, so that no running server or incomplete
  // database is left behind.
  stop.onStop(async () => (await opening.catch(() => null))?.close())
  const { pools, connection, embedded, warnings } = await opening
  const { calls: db, mails, jobs } = pools
  await assertNoUnfinishedRestore(jobs, settings)
  steps.note('database')
  steps.show('database opened', openedSince)
  stop.signal.throwIfAborted()
  const port = await findAvailablePort(settings.host, settings.port)
  const given = settings.port === 0 ? { ...settings, publicUrl: listenUrl(settings.host, port), port } : settings

  const [dist] = await Promise.all([app, prepareDatabase(jobs, given, steps)])
  const config = await requirePasskeys(jobs, given)
  // The accounts are read before the portal accepts requests. From then on, a database outage no longer ends the
  // process.
  const accounts = config.isDemo && (await describeDemoAccounts(db))
  const heldSince = await findOutgoingSuspensionStart(db)
  const oldParts = await describeOutdatedVersions(embedded ? await askVersion(jobs) : null, config.dataDir)
  steps.note('prepare')
  const traces = await startTraces(config)
  if (traces) stop.onStop(traces.stop)
  const sender = startSender({ db: mails, log }, [
    openMailTransport(config, {
      secrets: createMailSecretCache(mails),
      calendars: createCalendarService({ db: mails, config }),
      findInvoicePdf: number => findInvoicePdf(mails, number),
      readOfficeReport: webUserId => readOfficeReport(jobs, webUserId, config.region),
      findUnsubscribeUrl: mail => findUnsubscribeUrl(mails, config.publicUrl, mail),
    }),
    openPushTransport(config, () => findPushKeys(mails)),
    openWebhookTransport(config),
  ])
  stop.onStop(sender.stop)
  stop.onStop(startJobs({ db: jobs, config, log }).stop)
  const context = { db, config, log, wakeMailer: sender.wake }
  stop.onStop(startReminderScheduler({ db: jobs, config, log, wakeMailer: sender.wake }).stop)
  stop.signal.throwIfAborted()

  let workers: Workers | null = null
  const folders = { dataDir: config.dataDir, mails: config.smtpUrl === null ? mailFolderOf(config.dataDir) : null }
  if (config.processes === 1) {
    const server = await serveApp(context, dist)
    stop.onStop(() => server.close(PATIENCE_MS))
    if (dist) await compressInBackground(dist)
    dropPrivileges(await chooseUnprivilegedAccount(embedded, folders, log), log)
  } else {
    const account = await chooseUnprivilegedAccount(embedded, folders, log)
    const lock = await lockListenAddress(config.host, config.port)
    stop.onStop(async () => void lock?.close())
    const handlers = {
      wake: sender.wake,
      book: createBookingBatcher(db, sender.wake),
      limit: createSharedLimits(),
      health: () => db.probe(),
    }
    workers = await startWorkers({ config, connection, dist, patienceMs: PATIENCE_MS }, account, handlers, {
      log,
      onLost: error => stop.fail(error, 'the processes are lost'),
    })
    stop.onStop(workers.stop)
    if (dist) await compressInBackground(dist)
    dropPrivileges(account, log)
  }
  // Metrics do not use the jobs' connections, because hung jobs would delay the very metrics that report them.
  const metrics = await startMetrics(config, {
    log,
    workers,
    addPortalGauges: registry =>
      addPortalGauges(registry, { db, dataDir: config.dataDir, checkHealth: () => db.probe() }),
  })
  if (metrics) stop.onStop(metrics.stop)
  steps.note('listen')
  steps.show('ready, since the start', 0)
  console.log(`${config.branding.portalName}: ${config.publicUrl}`)
  for (const line of describePasskeys(config)) console.log(line)
  if (heldSince)
    console.log(
      `Since the restore of ${heldSince.toISOString()} mails, pushes and webhook calls wait: ${commandLine('mails', '--release')} sends them.`,
    )
  if (accounts) console.log(`\n${accounts}\n`)
  const { user, system } = process.cpuUsage()
  await notifySystemdReady(isSystemdNotifyExpected(), log)
  log.info({ version: VERSION, ms: steps.ms, cpuMs: Math.round((user + system) / 1000) }, 'started')
  for (const line of [...warnings, ...oldParts]) console.log(line)
}

const askVersion = async (db: Database) =>
  (await db.one<{ version: string }>(sql`select current_setting('server_version') as version`)).version

/** Requires passkeys by default as soon as any account other than the demo accounts can log in. */
async function requirePasskeys(db: Database, config: Config): Promise<Config> {
  if (!config.isPasskeyOffByDefault || !(await hasOtherAccounts(db))) return config
  return { ...config, isPasskeyRequired: true }
}

/** Startup messages for the operator about passkeys for the office UI. */
export function* describePasskeys({
  isPasskeyRequired,
  isPasskeyOffByDefault,
  publicUrl,
  host,
  port,
}: Pick<Config, 'isPasskeyRequired' | 'isPasskeyOffByDefault' | 'publicUrl' | 'host' | 'port'>) {
  const { protocol, hostname } = new URL(publicUrl)
  if (isPasskeyRequired && isPasskeyOffByDefault)
    yield 'OFFICE_PASSKEY=required: other people than the demo’s can log in (OFFICE_PASSKEY=off lets the desk work without passkeys).'
  if (!isPasskeyRequired)
    yield isPasskeyOffByDefault
      ? 'OFFICE_PASSKEY=off: the desk works without passkeys while only the demo’s people can log in (at the next start).'
      : 'OFFICE_PASSKEY=off: the rights of the department work without a passkey.'
  else if (publicUrl === listenUrl(host, port))
    yield `PUBLIC_URL is not set: links in mails lead to ${publicUrl}, and the desk opens at localhost only. Set the address that people use.`
  else if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    yield 'PUBLIC_URL is an IP address, which cannot have passkeys: the desk opens at localhost only. Give the portal a name.'
  else if (protocol === 'http:' && hostname !== 'localhost')
    yield 'PUBLIC_URL is not https, without which browsers have no passkeys: the desk opens at localhost only.'
}

type Steps = ReturnType<typeof createSteps>

/** Measures the duration of each startup step. The first step starts with the process and includes loading the code. */
function createSteps() {
  const ms: Record<string, number> = {}
  let last = 0
  const note = (step: string) => {
    ms[step] = Math.round(performance.now() - last)
    last = performance.now()
  }
  /** Prints on a terminal how long a step took. */
  const show = (what: string, since: number) => {
    if (process.stdout.isTTY) console.log(`${((performance.now() - since) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  }
  note('load')
  show('program loaded', 0)
  return { ms, note, show }
}

/** Builds the app if necessary, at the same time as the database is opened. A failed start ends the build. */
function buildApp(stop: Shutdown, steps: Steps): Promise<string> {
  const since = performance.now()
  const aborted = new AbortController()
  let isOutdated = false
  const onStart = () => {
    isOutdated = true
    console.log('Building the app …')
  }
  const build = ensureAppBuilt({ onStart, signal: aborted.signal, isCompressedLater: true })
  const finished = build.then(
    () => isOutdated && steps.show('app built', since),
    () => {
      // The caller awaits the build and reports the failure.
    },
  )
  stop.onStop(async () => {
    aborted.abort()
    await finished
  })
  return build
}

async function prepareDatabase(db: Database, config: Config, steps: Steps): Promise<void> {
  const since = performance.now()
  const before = await findNewestMigration(db)
  const applied = await migrate(db, migrationsFolder, line => console.log(line))
  if (before !== null && applied.length > 0)
    console.log(
      `upgrade to ${VERSION}: database ${before} → ${await findNewestMigration(db)} in ${((performance.now() - since) / 1000).toFixed(1)} s. The earlier version cannot open it; to go back restore a backup of before.`,
    )
  steps.show('database tables', since)
  const loadedSince = performance.now()
  const isLoaded = config.isDemo && (await loadDemoProgramme(db, config))
  if (isLoaded) {
    console.log('The demo programme is loaded.')
    steps.show('demo programme', loadedSince)
  }
  const news = await disableDemoAccounts(db, config)
  if (news) console.log(news)
}
