import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { createApp } from '#server/app.ts'
import { brandContents, type Contents } from '#server/branding/files.ts'
import { createFirstViews } from '#server/first-view/first-views.ts'
import { type ListeningServer, listen } from '#server/http/listen.ts'
import { mountStaticFiles } from '#server/http/static-files.ts'
import { exitLogged } from '#server/logging/log.ts'
import type { ServerContext } from './context.ts'

/**
 * Interval in ms within which a second signal counts as the same: Ctrl+C arrives twice, from the terminal and from
 * npm.
 */
const SAME_SIGNAL_MS = 500
/** Maximum time in ms to close a resource; a slower one (such as an unresponsive mail server) is abandoned. */
const LONGEST_CLOSE_MS = 15_000
const LONGEST_STOP_MS = 40_000

export type Stop = {
  /** Aborted when shutdown begins. */
  signal: AbortSignal
  /** registers a resource to close on shutdown, in reverse order of opening */
  onStop(close: () => Promise<void>): void
  closeAll(): Promise<void>
  /** shuts the portal down after a fatal error: logs it, closes all resources, exit status 1 */
  fail(error: unknown, message: string): void
}

/** Closes all resources on SIGTERM, SIGINT and SIGHUP and exits with 0; a second signal exits immediately. */
export function stopOnSignals(log: Logger): Stop {
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
    exitLogged(log, status)
  }
  const onSignal = () => {
    if (!stoppedAt) void end(0)
    else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  const fail = (error: unknown, message: string) => {
    log.fatal({ err: error }, message)
    if (!stoppedAt) void end(1)
  }
  // Node.js resets the SIGHUP that nohup ignores: without a terminal, the portal must ignore it itself.
  const isInTerminal = isatty(1)
  process.on('SIGHUP', () => isInTerminal && onSignal())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const early = process.listeners(signal)
    // The listener is added before the old one is removed: without any listener, an arriving signal would end the
    // process.
    process.on(signal, onSignal)
    for (const listener of early) process.off(signal, listener)
  }
  process.on('uncaughtException', error => fail(error, 'uncaught exception'))
  process.on('unhandledRejection', error => fail(error, 'unhandled rejection'))
  return { signal: controller.signal, onStop: close => closers.push(close), closeAll, fail }
}

/**
 * Reports readiness to systemd (`Type=notify`, sd_notify(3)), so that `systemctl start` returns when requests are
 * accepted. Node.js has no datagram sockets for this, so systemd's own program sends the message.
 */
export async function notifyReady(isAwaited: boolean, log: Pick<Logger, 'warn'>): Promise<void> {
  if (!isAwaited) return
  await promisify(execFile)('systemd-notify', ['--ready', `--pid=${process.pid}`]).catch(error =>
    log.warn({ err: error }, 'systemd was not told that the portal is ready'),
  )
}

/**
 * Creates the app and accepts requests.
 * @param dist folder of the built app; null: API only
 */
export async function serve(context: ServerContext, dist: string | null): Promise<ListeningServer> {
  const { config } = context
  const { app, courses } = createApp(context)
  if (dist) {
    const firstView = await createFirstViews(dist, context, courses)
    const brand = (contents: Contents) =>
      brandContents(contents, { branding: config.branding, folder: config.brandingFolder })
    const pages = { publicUrl: config.publicUrl, describe: courses.describePage, firstView, brand }
    await mountStaticFiles(app, dist, pages)
  }
  return listen(app, config.host, config.port)
}
