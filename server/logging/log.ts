import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'
import type { Config } from '#server/config.ts'
import { codeOf } from '#server/db/unavailable.ts'

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
  if (process.stdout.isTTY) {
    const write = output.write.bind(output)
    output.write = line => write(formatForTerminal(line))
  }
  return output
}

const LEVELS: Record<number, string> = { 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
const IS_PLAIN = /^[\x21-\x7e]+$/

/** A line of the log as text for a terminal, in the format of pino-pretty; without control characters. */
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

/** Ends the process when its last lines are written, or cannot be. */
export function exitLogged(log: Logger, status: number): void {
  setTimeout(() => process.exit(status), LAST_LINES_MS)
  log.flush(() => process.exit(status))
}

const REPEAT_MS = 5_000
const MAX_CAUSES = 200
const WARN = 40

/** Lines about the same error: the first is written, the others are counted and written as one every 5 s, the last of them. */
function limitRepeats() {
  /** By the cause: what writes its last line with the count, null without one. */
  const causes = new Map<string, { count: number; write: ((count: number) => void) | null }>()
  const causeOf = (err: Error, message: unknown) =>
    [message, err.name, codeOf(err), err.message.replace(/\d+/g, '')].join('\n')
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
 * The log: one line of JSON per event on standard output, readable text on a terminal. Errors go under `err`. A warning or error that repeats is written every
 * 5 s, with how often as `repeats`: without the database each call would write its stack.
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
