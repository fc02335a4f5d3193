import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { Logger } from 'pino'
import { errorFactsOf } from './error-facts.ts'

/** Minimum number of file descriptors for the burst when booking opens, because each client connection needs one. */
const FEW = 4_096
const CHECK_MS = 1_000
const BETWEEN_LINES_MS = 30_000

/** Logs a warning at startup if the limit of open files is low. Linux only. */
export async function warnOfLowDescriptorLimit(log: Logger): Promise<void> {
  // On systems without /proc/self/limits, no warning is logged.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1])
  if (limit < FEW)
    log.warn({ limit }, `few file descriptors: the portal needs ${FEW} or more, raise ulimit -n (LimitNOFILE)`)
}

/**
 * Logs an error when this process has run out of file descriptors, because new connections are then reset without any
 * other sign.
 */
export function watchDescriptorExhaustion(log: Logger): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  const check = () => {
    try {
      closeSync(openSync(devNull, 'r'))
    } catch (error) {
      const { code } = errorFactsOf(error)
      if (!['EMFILE', 'ENFILE'].includes(code) || performance.now() - loggedAt < BETWEEN_LINES_MS) return
      loggedAt = performance.now()
      log.error({ code }, 'no file descriptor left: new connections are reset, raise ulimit -n (LimitNOFILE)')
    }
  }
  setInterval(check, CHECK_MS).unref()
}
