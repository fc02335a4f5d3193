import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Config } from '#server/platform/config/config.ts'
import { errorCodeOf } from '#server/platform/process/error-facts.ts'

/**
 * Selects the fields of an error to log. A database error's `detail` and `where` are excluded, because they contain row
 * values.
 */
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

/** Maximum number of bytes to buffer while the disk is full or the reader is slow. Further lines are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
const LAST_LINES_MS = 1_000

/**
 * Opens the log's output stream. Lines that cannot be written are retried together with the next line, so that a full
 * disk or a closed terminal does not end the process.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, minLength: 1, maxLength: MAX_WAITING_BYTES })
  output.on('error', () => undefined)
  // Disabled, because the library's own flush would retry forever if output is impossible. `exitAfterFlush` flushes with a
  // time limit instead.
  output.flushSync = () => undefined
  if (process.stdout.isTTY) {
    const write = output.write.bind(output)
    output.write = line => write(formatForTerminal(line))
  }
  return output
}

const LEVELS: Record<number, string> = { 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
const IS_PLAIN = /^[\x21-\x7e]+$/

/** Formats a log line as text for a terminal, in the format of pino-pretty, without control characters. */
function formatForTerminal(line: string): string {
  const { level, time, msg = '', err, ...facts } = JSON.parse(line)
  const format = (value: unknown) => (typeof value === 'string' && IS_PLAIN.test(value) ? value : JSON.stringify(value))
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${format(value)}`)
  const clock = new Date(time).toLocaleTimeString('sv-SE')
  const stack = err ? `\n    ${String(err.stack ?? err.message).replace(/\n/g, '\n    ')}` : ''
  const text = `[${clock}] ${LEVELS[level] ?? level}: ${[msg, ...pairs].join(' ')}${stack}\n`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would execute escape sequences
  return text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '')
}

/** Ends the process as soon as its last log lines have been written or have failed to be written. */
export function exitAfterFlush(log: Logger, status: number): void {
  setTimeout(() => process.exit(status), LAST_LINES_MS)
  log.flush(() => process.exit(status))
}

const REPEAT_MS = 5_000
const MAX_CAUSES = 200
const WARN = 40

/**
 * Limits how often repeated errors are logged. The first one is logged immediately; further ones are counted and logged
 * as a single line every 5 s.
 */
function limitRepeats() {
  /**
   * By cause of an error: number of its repetitions in the current interval, and the function that logs them as a
   * single line; null if the error was not repeated.
   */
  const causes = new Map<string, { count: number; write: ((count: number) => void) | null }>()
  const causeOf = (err: Error, message: unknown) =>
    [message, err.name, errorCodeOf(err), err.message.replace(/\d+/g, '')].join('\n')
  const watch = (cause: string) => {
    const entry: { count: number; write: ((count: number) => void) | null } = { count: 0, write: null }
    causes.set(cause, entry)
    const timer = setInterval(() => {
      entry.write?.(entry.count)
      if (entry.write === null) {
        clearInterval(timer)
        causes.delete(cause)
      }
      entry.count = 0
      entry.write = null
    }, REPEAT_MS).unref()
  }
  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const [facts, message]: unknown[] = args
    const { err }: { err?: unknown } = Object(facts)
    const cause = level >= WARN && err instanceof Error ? causeOf(err, message) : null
    const entry = cause === null ? undefined : causes.get(cause)
    if (entry) {
      entry.count += 1
      entry.write = repeats => method.call(this, { ...Object(facts), repeats }, String(message ?? ''))
      return
    }
    if (cause !== null && causes.size < MAX_CAUSES) watch(cause)
    method.apply(this, args)
  }
}

/**
 * Creates the logger, which writes one JSON line per event to standard output, or readable text to a terminal. Errors
 * are logged in the field `err`. Repeated warnings and errors are logged every 5 s, with their number in the field
 * `repeats`, because during a database outage each request would log a stack trace.
 */
export function createLog(level: Config['logLevel'], output: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: { logMethod: limitRepeats() },
    },
    output,
  )
}
