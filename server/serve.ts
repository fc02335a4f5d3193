import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { endpoints } from '#contract/endpoints.ts'
import { createApp } from '#server/app.ts'
import { awaitCompression } from '#server/first-view/app-build.ts'
import { createFirstViews } from '#server/first-view/first-views.ts'
import { applyBrandingToFiles, type FileContents } from './platform/branding/files.ts'
import type { IsOfCrowd } from './platform/http/connections.ts'
import { type ListeningServer, listen } from './platform/http/listen.ts'
import { mountStaticFiles } from './platform/http/static-files.ts'
import { exitAfterFlush } from './platform/observability/log.ts'
import { errorFactsOf } from './platform/process/error-facts.ts'
import { releaseMemoryWhenIdle } from './platform/process/idle-memory.ts'
import type { ServerContext } from './platform/runtime/context.ts'

/**
 * Interval in ms within which two signals are treated as one, because Ctrl+C sends the signal twice: from the terminal
 * and from npm.
 */
const SAME_SIGNAL_MS = 500
/** Maximum time in ms for closing a resource. A slower one, such as an unresponsive mail server, is abandoned. */
const LONGEST_CLOSE_MS = 15_000
const LONGEST_STOP_MS = 40_000

export type Shutdown = {
  /** aborted when the shutdown begins */
  signal: AbortSignal
  /** registers a function that closes a resource during shutdown; resources are closed in reverse order */
  onStop(close: () => Promise<void>): void
  closeAll(): Promise<void>
  /** shuts the portal down after a fatal error: logs the error, closes all resources and exits with status 1 */
  fail(error: unknown, message: string): void
}

/** On SIGTERM, SIGINT or SIGHUP, closes all resources and exits with status 0. A second signal exits immediately. */
export function shutDownOnSignals(log: Logger): Shutdown {
  const controller = new AbortController()
  const closers: (() => Promise<void>)[] = []
  let stoppedAt = 0

  const closeAll = async () => {
    for (let close = closers.pop(); close; close = closers.pop()) {
      const closed = close().catch(error => log.error({ err: error }, 'closing failed'))
      await Promise.race([closed, sleep(LONGEST_CLOSE_MS, undefined, { ref: false })])
    }
  }
  const end = async (status: number) => {
    stoppedAt = performance.now()
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref()
    controller.abort()
    await closeAll()
    exitAfterFlush(log, status)
  }
  const onSignal = () => {
    if (!stoppedAt) void end(0)
    else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  const fail = (error: unknown, message: string) => {
    log.fatal({ err: error }, message)
    if (!stoppedAt) void end(1)
  }
  // Node.js no longer ignores SIGHUP when it was started with nohup, so the portal itself must ignore it if there is no
  // terminal.
  const isInTerminal = isatty(1)
  process.on('SIGHUP', () => isInTerminal && onSignal())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const early = process.listeners(signal)
    // The new listener is added before the old one is removed, because a signal that arrives without any listener would
    // end the process.
    process.on(signal, onSignal)
    for (const listener of early) process.off(signal, listener)
  }
  process.on('uncaughtException', error => fail(error, 'uncaught exception'))
  process.on('unhandledRejection', error => fail(error, 'unhandled rejection'))
  return { signal: controller.signal, onStop: close => closers.push(close), closeAll, fail }
}

/**
 * Notifies systemd that the portal is ready (`Type=notify`, sd_notify(3)), so that `systemctl start` returns when
 * requests are accepted. Node.js does not support Unix datagram sockets, so systemd's own program sends the message.
 */
export async function notifySystemdReady(isAwaited: boolean, log: Pick<Logger, 'warn'>): Promise<void> {
  if (!isAwaited) return
  await promisify(execFile)('systemd-notify', ['--ready', `--pid=${process.pid}`]).catch(error => {
    const { code, stderr, message } = errorFactsOf(error)
    const reason = code === 'ENOENT' ? 'the program systemd-notify is not installed' : stderr.trim() || message
    log.warn({ reason }, 'the service manager was not notified that the portal is ready (NOTIFY_SOCKET)')
  })
}

const pathsOfOtherPuts = new Set<string | undefined>(
  Object.values(endpoints).flatMap(({ method, path }) => (method === 'PUT' && path !== bookCourse.path ? [path] : [])),
)
/** Any other spelling of a path counts as a booking, so that none gets ahead of the others. */
const isBooking: IsOfCrowd = ({ method, url }) => method === 'PUT' && !pathsOfOtherPuts.has(url)

/**
 * Creates the app and starts to accept requests.
 * @param dist folder with the built app; null: only the API is served
 */
export async function serveApp(context: ServerContext, dist: string | null): Promise<ListeningServer> {
  const { config } = context
  const { app, courses } = createApp(context)
  if (dist) {
    const firstView = await createFirstViews(dist, context, courses)
    const brand = (contents: FileContents) =>
      applyBrandingToFiles(contents, { branding: config.branding, folder: config.brandingFolder })
    const later = await awaitCompression(dist)
    const pages = { publicUrl: config.publicUrl, describe: courses.describePage, firstView, brand, ...later }
    await mountStaticFiles(app, dist, pages)
  }
  releaseMemoryWhenIdle()
  return listen(app, config.host, config.port, {}, isBooking)
}
