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

/** The log: one line of JSON per event on standard output. Errors go under `err`. */
export function createLog(level: Config['logLevel'], output: DestinationStream = pino.destination(1)): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
}
