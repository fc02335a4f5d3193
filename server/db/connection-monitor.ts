import type { Probe } from './probe.ts'
import { ReadOnlyError, SilentError, UnavailableError } from './unavailable.ts'

export type WatchedStatement = {
  /** of the connection's process in the server */
  pid: number
  /** when it is given up although the server is at work, in ms; 0 never */
  limitMs: number
  /** cuts its connection */
  cut(reason: Error): void
  /** of its connection, so far */
  countBytes(): number
  ticks: number
  strikes: number
  /** at the last check */
  bytes: number
}

export type ConnectionMonitor = {
  /** @throws UnavailableError at once while the database is known to be away */
  check(): void
  begin(asked: Pick<WatchedStatement, 'pid' | 'limitMs' | 'cut' | 'countBytes'>): WatchedStatement
  /** @param hasAnswered the server has said something, whatever it was */
  end(asked: WatchedStatement, hasAnswered: boolean): void
  countAnswers(): number
  /** A connection could not be made, or may only read. A server that answered others since `answersBefore` is busy, not silent. */
  report(error: unknown, answersBefore: number): void
  /** Called when the database goes away; `isSilent`: what is under way will not be answered either. */
  onOutage(leave: (reason: UnavailableError, isSilent: boolean) => void): void
  close(): void
}

const TICK_MS = 250
/** From this age on a statement is looked after. */
const SUSPICIOUS_TICKS = 4
/** How often the server must say that it does nothing for a statement of ours: the answer may just be on its way. */
const MAX_STRIKES = 2
const PROBE_LIMIT_MS = 1_400

/**
 * Notices within 3 s that a network has gone silent, which no socket tells: a statement without an answer for a second makes it
 * ask over a connection of its own whether the server still works on it. One that it does not work on, and of which no bytes
 * arrive, is lost; if that question is not answered either, everything is, and callers are refused at once until it is. A large
 * answer that this process is slow to read is no loss: the server ends a connection on which nothing is acknowledged for 10 s.
 */
export function createConnectionMonitor(probe: Probe): ConnectionMonitor {
  const underWay = new Set<WatchedStatement>()
  const leavers: Parameters<ConnectionMonitor['onOutage']>[0][] = []
  let outage: UnavailableError | null = null
  let isAsking = false
  let answers = 0

  const lose = (reason: UnavailableError) => {
    if (outage) return
    outage = reason
    for (const leave of leavers) leave(reason, reason instanceof SilentError)
  }

  const checkAfter = async (late: WatchedStatement[]) => {
    const before = answers
    try {
      const pids = late.map(({ pid }) => pid)
      const busy = await probe.ask(PROBE_LIMIT_MS, pids)
      for (const asked of late.filter(asked => underWay.has(asked))) {
        const bytes = asked.countBytes()
        const isAlive = busy.has(asked.pid) || bytes !== asked.bytes
        asked.bytes = bytes
        asked.strikes = isAlive ? 0 : asked.strikes + 1
        if (asked.strikes >= MAX_STRIKES) asked.cut(new SilentError('the connection to the database is dead'))
      }
    } catch (error) {
      if (error instanceof ReadOnlyError) lose(error)
      // Whatever was answered meanwhile came over the network: busy, but not silent.
      else if (error instanceof SilentError && answers === before) lose(error)
    }
  }

  const checkForReturn = async () => {
    try {
      await probe.ask(PROBE_LIMIT_MS)
      outage = null
    } catch (error) {
      // Any other answer, even a refusal, each caller can find out alone.
      outage = error instanceof UnavailableError ? error : null
    }
  }

  const tick = () => {
    for (const asked of underWay) {
      asked.ticks += 1
      if (asked.limitMs > 0 && asked.ticks * TICK_MS > asked.limitMs)
        asked.cut(new SilentError(`no answer within ${asked.limitMs} ms`))
    }
    const late = [...underWay].filter(({ ticks }) => ticks >= SUSPICIOUS_TICKS)
    if (isAsking || (!outage && late.length === 0)) return
    isAsking = true
    void (outage ? checkForReturn() : checkAfter(late)).finally(() => {
      isAsking = false
    })
  }
  // Counted in ticks, a stall of this process is no silence of the database.
  const timer = setInterval(tick, TICK_MS).unref()

  return {
    check() {
      if (outage) throw new UnavailableError(outage.message)
    },
    begin(asked) {
      const entry = { ...asked, ticks: 0, strikes: 0, bytes: asked.countBytes() }
      underWay.add(entry)
      return entry
    },
    end(asked, hasAnswered) {
      underWay.delete(asked)
      if (hasAnswered) answers += 1
    },
    countAnswers: () => answers,
    report(error, answersBefore) {
      if (error instanceof ReadOnlyError) lose(error)
      else if (error instanceof SilentError && answers === answersBefore) lose(error)
    },
    onOutage: leave => leavers.push(leave),
    close: () => clearInterval(timer),
  }
}
