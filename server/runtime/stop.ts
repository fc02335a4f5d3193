import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import type { Logger } from 'pino'
import { exitLogged } from '#server/logging/log.ts'

/** One Ctrl+C can arrive twice, from the terminal and from npm; a person takes longer for the second. */
const SAME_SIGNAL_MS = 500
/** What does not close in this time (a mail server that never answers) is left behind. */
const LONGEST_CLOSE_MS = 15_000
const LONGEST_STOP_MS = 40_000

export type Stop = {
  /** Aborted when the portal is to stop. */
  signal: AbortSignal
  /** What to close at the end: the last opened first. */
  onStop(close: () => Promise<void>): void
  closeAll(): Promise<void>
  /** Ends the portal for a fault: its line in the log, everything closed, exit status 1. */
  fail(error: unknown, message: string): void
}

/** SIGTERM, SIGINT and the closing of its terminal close everything and end the process with 0; a second one ends it at once. */
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
  // Node forgets that nohup had this signal ignored: a portal outside a terminal serves on when one is closed.
  const isInTerminal = isatty(1)
  process.on('SIGHUP', () => isInTerminal && onSignal())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const early = process.listeners(signal)
    // The new one first: without any listener a signal just arriving would be lost.
    process.on(signal, onSignal)
    for (const listener of early) process.off(signal, listener)
  }
  process.on('uncaughtException', error => fail(error, 'uncaught exception'))
  process.on('unhandledRejection', error => fail(error, 'unhandled rejection'))
  return { signal: controller.signal, onStop: close => closers.push(close), closeAll, fail }
}
