import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '#server/db/unavailable.ts'
import { shareFresh } from '#server/features/courses/cache.ts'
import { pause } from '#server/runtime/background-task.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { createBurstDetector } from './burst-detector.ts'
import { createMessageBuffer, type Leased, type MessageBuffer } from './message-buffer.ts'
import {
  type Channel,
  deleteMessage,
  leaseDue,
  type Messages,
  releaseMessages,
  type SentMessage,
  updateRefused,
  updateSent,
} from './outbox.ts'

type Failure = {
  /**
   * whether the server was unreachable, the response timed out, the message was refused temporarily or permanently, or
   * the target no longer exists
   */
  verdict: 'unreachable' | 'silent' | 'later' | 'never' | 'gone'
  /** stored with the message */
  reason: string
  /** HTTP status */
  status?: number
  /** logged: without personal data */
  facts?: Record<string, unknown>
}
/** Result of a delivery; `obsolete`: the message must no longer be sent. */
export type DeliveryResult = { verdict: 'sent'; status?: number } | { verdict: 'obsolete' } | Failure

/** Delivers single messages of one channel; the sender leases, retries and records them. */
export type Transport<C extends Channel = Channel> = {
  channel: C
  /** maximum concurrent deliveries, in total and to one destination */
  concurrency: number
  perDestination: number
  /** one delivery slot is reserved for urgent messages */
  hasUrgentLane: boolean
  /**
   * Delivers a message.
   * @param signal aborts the delivery
   */
  deliver(message: Messages[C], signal: AbortSignal): Promise<DeliveryResult>
  /** Releases what is cached for a message that was given up. */
  discard(message: Messages[C]): void
  close(): void
}

export type Sender = {
  /** Reduces the delay of new messages. */
  wake(): void
  /** Waits briefly for deliveries in progress; other messages wait for the next start. */
  stop(): Promise<void>
}

export type SenderTimes = {
  /** lease duration in ms, after which another attempt can follow if a process crashes during a delivery */
  leaseMs: number
  /** timeout of one delivery */
  sendMs: number
  /** poll interval in ms for messages of other servers, and for retries */
  idleMs: number
  /**
   * initial delay in ms after the mail server or the database has failed; for the mail server it is doubled up to a
   * minute
   */
  troubleMs: number
  /** maximum wait in ms for deliveries in progress on stop, before they are aborted */
  patienceMs: number
}

const TIMES: SenderTimes = { leaseMs: 45_000, sendMs: 30_000, idleMs: 2_000, troubleMs: 1_000, patienceMs: 1_200 }
/** Maximum wait in ms for results to be recorded after deliveries were aborted. */
const LAST_RECORDS_MS = 600
const RECORD_RETRY_MS = 200
/**
 * Retry delay in seconds after a timeout: the server may have accepted the message, and an immediate retry would
 * duplicate it.
 */
const SILENCE_S = 60
const LONGEST_TROUBLE_MS = 60_000

/**
 * Starts the sender of the outbox. Channels do not share slots, so none can delay another. Any number of servers may
 * run a sender: one of them leases a message, and records it as sent once its receiver has accepted it. At-least-once
 * delivery: a crash, or the loss of the database or of the response between these two steps, causes a duplicate with
 * the same id. See docs/decisions/0045.
 */
export function startSender(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  transports: Transport[],
  times: Partial<SenderTimes> = {},
): Sender {
  const { leaseMs, sendMs, idleMs, troubleMs, patienceMs } = { ...TIMES, ...times }
  const burst = createBurstDetector()
  const stopping = new AbortController()
  const aborting = new AbortController()
  const recorder = createRecorder({ db, aborting: aborting.signal })
  const onTrouble = (error: unknown) => log.error({ err: error }, 'the outbox cannot be read or written')
  const onFailure = (error: unknown) => {
    onTrouble(error)
    return false
  }

  const open = (transport: Transport) => {
    const { channel, concurrency, perDestination, hasUrgentLane } = transport
    const openBuffer = (limit: number, isUrgentOnly: boolean) =>
      createMessageBuffer({
        async take(busy) {
          // Results are recorded before more messages are leased: during an outage, the leases of sent messages may have
          // expired.
          await recorder.waitForRecords()
          return leaseDue(db, channel, { limit, leaseMs, isUrgentOnly: isUrgentOnly || burst.isOn(), busy })
        },
        perDestination,
        lowMark: Math.floor(limit / 2),
        idleMs,
        troubleMs,
        stopping: stopping.signal,
        onTrouble,
      })
    const common = openBuffer(2 * concurrency, false)
    return { transport, common, urgent: hasUrgentLane ? openBuffer(1, true) : common }
  }
  type Opened = ReturnType<typeof open>

  /**
   * Delivers a message.
   * @returns whether the channel's server is usable
   */
  const deliver = async (transport: Transport, message: Leased<Messages[Channel]>): Promise<boolean> => {
    if (performance.now() > message.takenAt + leaseMs - sendMs) {
      // The message is released, because its lease might expire before it is sent.
      await releaseMessages(db, [message], { reason: '', waitS: 0 })
      return true
    }
    const outcome = await deliverInTime(transport, message, { sendMs, aborting: aborting.signal })
    if (outcome.verdict === 'sent') await recorder.recordSent({ ...message, status: outcome.status })
    else if (outcome.verdict === 'obsolete') await deleteMessage(db, message.id)
    else if (aborting.signal.aborted) await releaseMessages(db, [message], { reason: outcome.reason, waitS: 0 })
    else return recordFailure({ db, log }, transport, message, outcome)
    return true
  }
  const run = async ({ transport, common, urgent }: Opened) => {
    const count = transport.concurrency
    const createBackoff = createLaneBackoff({ count, troubleMs, stopping: stopping.signal })
    const lanes = Array.from({ length: count }, (_, lane) =>
      runLane(message => deliver(transport, message).catch(onFailure), lane === 0 ? urgent : common, createBackoff()),
    )
    await Promise.all(lanes)
    const left = (await Promise.all([...new Set([common, urgent])].map(buffer => buffer.drain()))).flat()
    if (left.length > 0) await releaseMessages(db, left, { reason: '', waitS: 0 }).catch(onTrouble)
  }
  const channels = transports.map(open)
  const ended = Promise.all(channels.map(run))

  return {
    wake() {
      if (!burst.note()) return
      for (const { common, urgent } of channels) {
        common.wake()
        urgent.wake()
      }
    },
    async stop() {
      stopping.abort()
      await Promise.race([ended, sleep(patienceMs)])
      aborting.abort()
      await Promise.race([ended, sleep(LAST_RECORDS_MS)])
      for (const { close } of transports) close()
    },
  }
}

/** Delivers a message, and aborts the delivery at the timeout or with `aborting`. */
async function deliverInTime(
  transport: Transport,
  message: Messages[Channel],
  { sendMs, aborting }: { sendMs: number; aborting: AbortSignal },
): Promise<DeliveryResult> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), sendMs)
  return transport.deliver(message, AbortSignal.any([limit.signal, aborting])).finally(() => clearTimeout(timer))
}

/**
 * Delivers messages of a buffer one after the other until it is closed.
 * @param deliver returns whether the channel's server is usable
 */
async function runLane(
  deliver: (message: Leased<Messages[Channel]>) => Promise<boolean>,
  buffer: MessageBuffer<Messages[Channel]>,
  backoff: ReturnType<ReturnType<typeof createLaneBackoff>>,
): Promise<void> {
  for (let message = await buffer.next(); message; message = await buffer.next()) {
    const isUsable = await deliver(message)
    buffer.finish(message)
    await (isUsable ? backoff.reset() : backoff.wait())
  }
}

/**
 * Records why a message was not sent, and releases it, schedules a retry, or gives it up.
 * @returns whether the channel's server is usable
 */
async function recordFailure(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  { channel, discard }: Transport,
  message: Messages[Channel],
  { verdict, reason, status, facts }: Failure,
): Promise<boolean> {
  const { id, kind } = message
  log.warn({ id, kind, verdict, status, ...facts }, `${channel} not sent`)
  if (verdict === 'unreachable' || verdict === 'silent') {
    await releaseMessages(db, [message], { reason, waitS: verdict === 'silent' ? SILENCE_S : 0 })
    return false
  }
  const isTargetGone = verdict === 'gone'
  const refusal = { reason, status, isFinal: isTargetGone || verdict === 'never', isTargetGone }
  const givenUp = await updateRefused(db, channel, message, refusal)
  if (givenUp !== null) {
    discard(message)
    log.error(
      { id, kind, givenUp },
      `${channel} given up${channel === 'mail' ? ': see npm run mails -- --given-up' : ''}`,
    )
  }
  return true
}

/** Creates a recorder of sent messages, which batches results that arrive during a write. */
function createRecorder({ db, aborting }: Pick<ServerContext, 'db'> & { aborting: AbortSignal }) {
  /** Writing is retried until it succeeds: without the database no other process can lease the messages either. */
  const write = async (messages: SentMessage[]) => {
    for (;;) {
      try {
        return await updateSent(db, messages)
      } catch (error) {
        if (!isUnavailable(error) || aborting.aborted) throw error
        await sleep(RECORD_RETRY_MS)
      }
    }
  }
  const sent: SentMessage[] = []
  const flush = shareFresh(() => write(sent.splice(0)))
  let recorded: Promise<unknown> = Promise.resolve()
  return {
    async recordSent(message: SentMessage) {
      sent.push(message)
      const recording = flush()
      // The caller receives the error; the next lease only waits for the end of this one.
      recorded = recording.catch(() => null)
      await recording
    },
    /** resolves when the latest result is recorded, or recording has failed */
    waitForRecords: () => recorded,
  }
}

/**
 * Creates the exponential backoff of a channel's lanes. Each lane has its own state; if all have failed, the first
 * success wakes the others.
 */
function createLaneBackoff({
  count,
  troubleMs,
  stopping,
}: {
  count: number
  troubleMs: number
  stopping: AbortSignal
}) {
  const failing = new Set<object>()
  let recovery = new AbortController()
  let isAway = false
  return () => {
    const lane = {}
    let failures = 0
    return {
      reset(): void {
        failures = 0
        failing.delete(lane)
        if (!isAway) return
        recovery.abort()
        recovery = new AbortController()
        isAway = false
      },
      async wait(): Promise<void> {
        failing.add(lane)
        isAway ||= failing.size === count
        failures += 1
        const longest = Math.min(troubleMs * 2 ** Math.min(failures - 1, 10), LONGEST_TROUBLE_MS)
        await pause(longest * (0.75 + Math.random() / 4), AbortSignal.any([stopping, recovery.signal]))
      },
    }
  }
}
