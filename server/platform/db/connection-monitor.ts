import type pg from 'pg'
import { openProbe, type Probe } from './probe.ts'
import { NoResponseError, ReadOnlyError, UnavailableError } from './unavailable.ts'
import { createWriteCheck } from './write-check.ts'

export type WatchedStatement = {
  /** process id of the PostgreSQL backend that serves the connection */
  pid: number
  /** maximum execution time in ms, including the wait for a standby; 0: no limit */
  limitMs: number
  /** destroys the connection */
  cut(reason: Error): void
  /** bytes received on the connection so far */
  countBytes(): number
  ticks: number
  strikes: number
  /** number of bytes that had been received at the last check */
  bytes: number
}

export type ConnectionMonitor = {
  /** @throws UnavailableError while the database is unavailable, and for writes while it does not commit */
  check(isWrite: boolean): void
  begin(asked: Pick<WatchedStatement, 'pid' | 'limitMs' | 'cut' | 'countBytes'>): WatchedStatement
  /**
   * Stops monitoring a statement.
   * @param hasAnswered whether the server has responded, even with an error
   */
  end(asked: WatchedStatement, hasAnswered: boolean): void
  countAnswers(): number
  /**
   * Reports a connection that could not be opened or is read-only.
   * @param answersBefore result of `countAnswers` before the attempt; if it has increased since then, the server is
   * considered busy rather than unresponsive
   */
  report(error: unknown, answersBefore: number): void
  /** Rejects writes until the database commits again, which is checked periodically. */
  refuseWrites(reason: UnavailableError): void
  /**
   * Registers a callback that is called when the database becomes unavailable. `isSilent`: statements in progress will
   * not be answered either.
   */
  onOutage(leave: (reason: UnavailableError, isSilent: boolean) => void): void
  /** Registers a callback that is called when the database stops committing. */
  onWriteOutage(refuse: (reason: UnavailableError) => void): void
  /** Resolves within 3 s if the database responds and commits. @throws Error for which isUnavailable is true */
  probe(): Promise<void>
  close(): Promise<void>
}

const TICK_MS = 250
/** Age in ticks after which a statement is checked. */
const SUSPICIOUS_TICKS = 4
/**
 * Number of consecutive checks that must find a statement's backend idle before its connection is closed. At the first
 * one, the answer may still be in transit.
 */
const MAX_STRIKES = 2
/** Interval between write checks in ticks; longer than the period for which WriteCheck reuses a result. */
const WRITE_CHECK_TICKS = 5
const PROBE_LIMIT_MS = 1_400
const HEALTH_LIMIT_MS = 900

const standbyAway = () => new NoResponseError('the synchronous standby does not confirm commits')

/** Wraps a call so that concurrent callers share the one in progress. */
function shareInProgress<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | null = null
  return () => {
    current ??= call().finally(() => {
      current = null
    })
    return current
  }
}

/**
 * Probes the database.
 * @returns null if the database answers, even with an error that is not an outage: such errors are handled by each
 * caller
 */
async function findOutage(probe: Pick<Probe, 'ask'>): Promise<UnavailableError | null> {
  try {
    await probe.ask(PROBE_LIMIT_MS)
    return null
  } catch (error) {
    return error instanceof UnavailableError ? error : null
  }
}

/**
 * Adds one timer tick to the age of a statement in progress, and closes its connection once the age exceeds the
 * statement's time limit.
 */
function cutIfLate(asked: WatchedStatement): void {
  asked.ticks += 1
  if (asked.limitMs > 0 && asked.ticks * TICK_MS > asked.limitMs)
    asked.cut(new NoResponseError(`no answer within ${asked.limitMs} ms`))
}

/** Closes a connection whose backend is repeatedly found idle while no data arrives. */
function cutIfDead(asked: WatchedStatement, isBusy: boolean): void {
  const bytes = asked.countBytes()
  const isAlive = isBusy || bytes !== asked.bytes
  asked.bytes = bytes
  asked.strikes = isAlive ? 0 : asked.strikes + 1
  if (asked.strikes >= MAX_STRIKES) asked.cut(new NoResponseError('the connection to the database is dead'))
}

/** Tracks statements in progress and counts the statements to which the server has responded. */
function createStatements() {
  const underWay = new Set<WatchedStatement>()
  let answers = 0
  return {
    begin(asked: Pick<WatchedStatement, 'pid' | 'limitMs' | 'cut' | 'countBytes'>): WatchedStatement {
      const entry = { ...asked, ticks: 0, strikes: 0, bytes: asked.countBytes() }
      underWay.add(entry)
      return entry
    },
    end(asked: WatchedStatement, hasAnswered: boolean): void {
      underWay.delete(asked)
      if (hasAnswered) answers += 1
    },
    countAnswers: () => answers,
    isUnderWay: (asked: WatchedStatement) => underWay.has(asked),
    /**
     * Whether the server has responded to a statement since `answersBefore` was read, or has sent data for a statement
     * in `bytesBefore` that is still in progress.
     */
    haveReceived: (answersBefore: number, bytesBefore: ReadonlyMap<WatchedStatement, number>) =>
      answers !== answersBefore ||
      [...bytesBefore].some(([asked, bytes]) => underWay.has(asked) && asked.countBytes() !== bytes),
    /**
     * Adds one timer tick to the age of each statement in progress.
     * @returns statements that are old enough to be checked
     */
    tick(): WatchedStatement[] {
      for (const asked of underWay) cutIfLate(asked)
      return [...underWay].filter(({ ticks }) => ticks >= SUSPICIOUS_TICKS)
    },
  }
}

/** Tracks whether the database is unreachable or cannot commit, and calls the callbacks when such an outage begins. */
function createOutages() {
  const leavers: Parameters<ConnectionMonitor['onOutage']>[0][] = []
  const refusers: Parameters<ConnectionMonitor['onWriteOutage']>[0][] = []
  let outage: UnavailableError | null = null
  let writeOutage: { reason: UnavailableError; ticks: number } | null = null

  return {
    isCurrent: () => outage !== null,
    setCurrent(found: UnavailableError | null): void {
      outage = found
    },
    lose(reason: UnavailableError): void {
      if (outage) return
      outage = reason
      for (const leave of leavers) leave(reason, reason instanceof NoResponseError)
    },
    refuseWrites(reason: UnavailableError): void {
      if (writeOutage) return
      writeOutage = { reason, ticks: 0 }
      for (const refuse of refusers) refuse(reason)
    },
    endWriteOutage(): void {
      writeOutage = null
    },
    /**
     * Must be called at each timer tick. Counts the ticks of an outage during which the database does not commit.
     * @returns whether it is time to check again whether the database commits
     */
    isWriteCheckDue(): boolean {
      if (!writeOutage || outage) return false
      writeOutage.ticks += 1
      return writeOutage.ticks % WRITE_CHECK_TICKS === 0
    },
    check(isWrite: boolean): void {
      const reason = outage ?? (isWrite ? writeOutage?.reason : null)
      if (reason) throw new UnavailableError(reason.message)
    },
    onOutage(leave: (typeof leavers)[number]): void {
      leavers.push(leave)
    },
    onWriteOutage(refuse: (typeof refusers)[number]): void {
      refusers.push(refuse)
    },
  }
}

/**
 * Detects within 3 s that the network drops all packets, which sockets do not report. The backends of statements that
 * have had no answer for a second are looked up over a separate connection. If the backend is not executing the
 * statement and no bytes arrive, the statement is lost. If the lookup gets no answer either, the database is
 * unavailable, and callers are rejected until it responds. A large result that this process reads slowly is not
 * considered lost, because the server itself closes a connection on which nothing is acknowledged for 10 s.
 *
 * If a commit of any process waits for a synchronous standby for more than 2 s, writes are rejected until one succeeds.
 * Statements that wait for the standby, or for locks held by such a commit, are abandoned: their connections are
 * closed, but the wait is not cancelled. Cancelling it would make the changes visible, and a repeated call would then
 * be acknowledged although only the primary has stored them. See docs/decisions/0012.
 */
export function openConnectionMonitor(connection: pg.ClientConfig): ConnectionMonitor {
  const config = { keepAlive: true, ...connection }
  const probe = openProbe(config)
  const writeCheck = createWriteCheck(config)
  const statements = createStatements()
  const outages = createOutages()
  let isAsking = false
  /**
   * Commits that were waiting for the synchronous standby at the previous lookup. Writes are rejected only if two
   * consecutive lookups find the same commit, because a commit found once may have just begun to wait.
   */
  let unconfirmedBefore: readonly string[] = []

  const checkAfter = async (late: WatchedStatement[]) => {
    const answersBefore = statements.countAnswers()
    const bytesBefore = new Map(late.map(asked => [asked, asked.countBytes()]))
    try {
      const pids = late.map(({ pid }) => pid)
      const { busy, unconfirmed } = await probe.ask(PROBE_LIMIT_MS, pids)
      const isUnreplicated = unconfirmed.some(commit => unconfirmedBefore.includes(commit))
      unconfirmedBefore = unconfirmed
      if (isUnreplicated) outages.refuseWrites(standbyAway())
      for (const asked of late.filter(statements.isUnderWay)) {
        cutIfDead(asked, busy.has(asked.pid))
        if (isUnreplicated && asked.limitMs > 0 && busy.get(asked.pid)) asked.cut(standbyAway())
      }
    } catch (error) {
      if (error instanceof ReadOnlyError) outages.lose(error)
      // If a complete or partial answer has arrived since then, the network works, and the database is busy rather than
      // unresponsive.
      else if (error instanceof NoResponseError && !statements.haveReceived(answersBefore, bytesBefore))
        outages.lose(error)
    }
  }

  const checkWrites = async () => {
    try {
      await writeCheck.run()
      outages.endWriteOutage()
    } catch (error) {
      if (error instanceof NoResponseError) outages.refuseWrites(error)
      throw error
    }
  }

  const tick = () => {
    const late = statements.tick()
    // If the check fails, writes remain rejected.
    if (outages.isWriteCheckDue()) checkWrites().catch(() => undefined)
    if (isAsking || (!outages.isCurrent() && late.length === 0)) return
    isAsking = true
    void (outages.isCurrent() ? findOutage(probe).then(outages.setCurrent) : checkAfter(late)).finally(() => {
      isAsking = false
    })
  }
  // Time is counted in ticks, so that a stall of this process is not mistaken for an unresponsive database.
  const timer = setInterval(tick, TICK_MS).unref()

  const report = (error: unknown, answersBefore: number) => {
    if (error instanceof ReadOnlyError) outages.lose(error)
    else if (error instanceof NoResponseError && statements.countAnswers() === answersBefore) outages.lose(error)
  }
  // A probe takes less than a second.
  const probeOnce = shareInProgress(() => probe.ask(HEALTH_LIMIT_MS))

  return {
    check: outages.check,
    begin: statements.begin,
    end: statements.end,
    countAnswers: statements.countAnswers,
    report,
    refuseWrites: outages.refuseWrites,
    onOutage: outages.onOutage,
    onWriteOutage: outages.onWriteOutage,
    async probe() {
      const probing = probeOnce()
      const answersBefore = statements.countAnswers()
      await probing.catch(error => {
        report(error, answersBefore)
        throw error
      })
      await checkWrites()
    },
    async close() {
      clearInterval(timer)
      await writeCheck.close()
      await probe.close()
    },
  }
}
