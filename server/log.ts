import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'

/** What of an error is logged: `detail` and `where` of a database error hold values of its row, and stay out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code, constraint }: Record<string, unknown> = { ...error }
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

/** Lines that wait for a disk that is full or a reader that is slow; beyond them new ones are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
const LAST_LINES_MS = 1_000

/** What cannot be written waits for the next line; a full disk or a closed terminal is no reason to end. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, minLength: 1, maxLength: MAX_WAITING_BYTES })
  output.on('error', () => undefined)
  // The library's own tries for ever where nothing can be written any more: `exitLogged` waits for the last lines.
  output.flushSync = () => undefined
  return output
}

/** Ends the process when its last lines are written, or cannot be. */
export function exitLogged(log: Logger, status: number): void {
  setTimeout(() => process.exit(status), LAST_LINES_MS)
  log.flush(() => process.exit(status))
}

/** The log: one line of JSON per event on standard output. Errors go under `err`. */
export function createLog(level: Config['logLevel'], output: DestinationStream = standardOutput()): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
}
