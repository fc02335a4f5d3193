import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '#server/platform/config/config.ts'
import { isUnavailable } from '#server/platform/db/unavailable.ts'
import { pauseUnlessStopping } from '#server/platform/process/background-task.ts'
import { coalesceCalls } from '#server/platform/process/coalesce-calls.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createBurstDetector } from './burst-detector.ts'
import { createMessageBuffer, type LeasedMessage, type MessageBuffer } from './message-buffer.ts'
import {
  type Channel,
  deleteMessage,
  leaseDueMessages,
  type MessageByChannel,
  markSent,
  recordRefusal,
  releaseMessages,
  renewLease,
  type SentMessage,
} from './outbox.ts'

type Failure = {
  /**
   * the server was unreachable (`unreachable`) or did not respond in time (`silent`), it received the whole message but
   * no response arrived (`unanswered`: it may have accepted it), the message was rejected temporarily (`later`) or
   * permanently (`never`), or the target no longer exists (`gone`)
   */
  verdict: 'unreachable' | 'silent' | 'unanswered' | 'later' | 'never' | 'gone'
  /** reason that is stored with the message */
  reason: string
  /** HTTP status */
  status?: number
  /** fields to log, without personal data */
  facts?: Record<string, unknown>
}
/** Result of a delivery; `obsolete`: the message must no longer be sent. */
export type DeliveryResult = { verdict: 'sent'; status?: number } | { verdict: 'obsolete' } | Failure

/** Delivers individual messages of one channel. The sender leases, retries and records them. */
export type Transport<C extends Channel = Channel> = {
  channel: C
  /** maximum number of concurrent deliveries, in total and (`perDestination`) to one destination */
  concurrency: number
  perDestination: number
  /** whether one delivery slot is reserved for urgent messages */
  hasUrgentLane: boolean
  /**
   * Delivers a message.
   * @param signal aborts the delivery
   * @param onSubmitted must be called when the whole message has been transmitted and a response is pending, if the
   * receiver may take long to respond
   */
  deliver(message: MessageByChannel[C], signal: AbortSignal, onSubmitted: () => void): Promise<DeliveryResult>
  /** Removes cached data of a message that was abandoned. */
  discard(message: MessageByChannel[C]): void
  close(): void
}

export type Sender = {
  /** Polls the outbox early, which reduces the delay of new messages. */
  wake(): void
  /**
   * Stops the sender and waits briefly for deliveries in progress. All other messages are sent after the next start.
   */
  stop(): Promise<void>
}

export type SenderTimings = {
  /**
   * lease duration in ms, renewed during a delivery; if a process crashes during a delivery, the message can be retried
   * when its lease has expired
   */
  leaseMs: number
  /**
   * timeout in ms for transmitting a message; doubled with each attempt, because a slow server must be reached
   * eventually, up to `longestSendMs`
   */
  sendMs: number
  /** RFC 5321, section 4.5.3.2: five minutes for the greeting and each command */
  longestSendMs: number
  /** timeout in ms for the response to a transmitted message. RFC 5321, section 4.5.3.2.6: ten minutes */
  responseMs: number
  /** interval in ms at which the outbox is polled for messages from other servers and for retries */
  idleMs: number
  /**
   * initial delay in ms after a failure of the mail server or the database; for the mail server, it is doubled up to
   * one minute
   */
  troubleMs: number
  /** maximum time in ms to wait for deliveries in progress before `stop` aborts them */
  patienceMs: number
}

const TIMES: SenderTimings = {
  leaseMs: 45_000,
  sendMs: 30_000,
  longestSendMs: 300_000,
  responseMs: 600_000,
  idleMs: 2_000,
  troubleMs: 1_000,
  patienceMs: 1_200,
}
/** Maximum time in ms to wait for the results to be recorded after deliveries have been aborted. */
const LAST_RECORDS_MS = 600
const RECORD_RETRY_MS = 200
/** Retry delay in seconds after a timeout before the message was transmitted. */
const SILENCE_S = 60
const LONGEST_TROUBLE_MS = 60_000

/**
 * Starts the sender, which delivers the messages in the outbox. Channels do not share slots, so they cannot delay each
 * other. Any number of servers may run a sender: one of them leases a message and records it as sent when the receiver
 * has accepted it. Delivery is at least once: if the process crashes or the database or the response is lost between
 * these two steps, the message is sent again with the same id. See docs/decisions/0045.
 */
export function startSender(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  transports: Transport[],
  times: Partial<SenderTimings> = {},
): Sender {
  const timings = { ...TIMES, ...times }
  const { leaseMs, idleMs, troubleMs, patienceMs } = timings
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
          // Results are recorded before more messages are leased, because the leases of messages that have been sent
          // may have expired during an outage.
          await recorder.waitForRecords()
          return leaseDueMessages(db, channel, { limit, leaseMs, isUrgentOnly: isUrgentOnly || burst.isOn(), busy })
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
   * @returns whether the channel's server can be used for further messages
   */
  const deliver = async (transport: Transport, message: LeasedMessage<MessageByChannel[Channel]>): Promise<boolean> => {
    if (performance.now() > message.takenAt + leaseMs / 3) {
      // The message is released, because its lease might expire before it is renewed.
      await releaseMessages(db, [message], { reason: '', waitS: 0 })
      return true
    }
    const endRenewal = renewLeaseRepeatedly({ db, log }, message, leaseMs)
    const outcome = await deliverInTime(transport, message, timings, aborting.signal).finally(endRenewal)
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

/**
 * Renews the lease of a message until the returned function is called, so that a delivery may take longer than a lease.
 */
function renewLeaseRepeatedly(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  message: MessageByChannel[Channel],
  leaseMs: number,
): () => void {
  const timer = setInterval(
    () =>
      renewLease(db, message, leaseMs).catch((error: unknown) =>
        log.error({ err: error }, 'the outbox cannot be written'),
      ),
    leaseMs / 3,
  )
  return () => clearInterval(timer)
}

/** Delivers a message. The delivery is aborted when its time is over or when the signal `aborting` is triggered. */
async function deliverInTime(
  transport: Transport,
  message: MessageByChannel[Channel],
  { sendMs, longestSendMs, responseMs }: SenderTimings,
  aborting: AbortSignal,
): Promise<DeliveryResult> {
  const limit = new AbortController()
  const abort = () => limit.abort()
  let timer = setTimeout(abort, Math.min(sendMs * 2 ** (message.attempts - 1), Math.max(sendMs, longestSendMs)))
  const onSubmitted = () => {
    clearTimeout(timer)
    timer = setTimeout(abort, responseMs)
  }
  return transport
    .deliver(message, AbortSignal.any([limit.signal, aborting]), onSubmitted)
    .finally(() => clearTimeout(timer))
}

/**
 * Delivers messages of a buffer one after the other until it is closed.
 * @param deliver returns whether the channel's server is usable
 */
async function runLane(
  deliver: (message: LeasedMessage<MessageByChannel[Channel]>) => Promise<boolean>,
  buffer: MessageBuffer<MessageByChannel[Channel]>,
  backoff: ReturnType<ReturnType<typeof createLaneBackoff>>,
): Promise<void> {
  for (let message = await buffer.next(); message; message = await buffer.next()) {
    const isUsable = await deliver(message)
    buffer.finish(message)
    await (isUsable ? backoff.reset() : backoff.wait())
  }
}

/**
 * Records why a message was not sent, and releases it, schedules a retry, or abandons it.
 * @returns whether the channel's server can be used for further messages
 */
async function recordFailure(
  { db, log }: Pick<ServerContext, 'db' | 'log'>,
  { channel, discard }: Transport,
  message: MessageByChannel[Channel],
  { verdict, reason, status, facts }: Failure,
): Promise<boolean> {
  const { id, kind } = message
  log.warn({ id, kind, verdict, status, ...facts }, `${channel} not sent`)
  if (verdict === 'unreachable' || verdict === 'silent') {
    await releaseMessages(db, [message], { reason, waitS: verdict === 'silent' ? SILENCE_S : 0 })
    return false
  }
  const isTargetGone = verdict === 'gone'
  const isUnanswered = verdict === 'unanswered'
  const refusal = { reason, status, isFinal: isTargetGone || verdict === 'never', isTargetGone, isUnanswered }
  const givenUp = await recordRefusal(db, channel, message, refusal)
  if (givenUp !== null) {
    discard(message)
    log.error(
      { id, kind, givenUp },
      `${channel} given up${channel === 'mail' ? `: see ${commandLine('mails', '--given-up')}` : ''}`,
    )
  }
  return !isUnanswered
}

/** Creates a recorder of sent messages, which batches results that arrive during a write. */
function createRecorder({ db, aborting }: Pick<ServerContext, 'db'> & { aborting: AbortSignal }) {
  /**
   * Writing is retried until it succeeds, because without the database no other process can lease the messages either.
   */
  const write = async (messages: SentMessage[]) => {
    for (;;) {
      try {
        return await markSent(db, messages)
      } catch (error) {
        if (!isUnavailable(error) || aborting.aborted) throw error
        await sleep(RECORD_RETRY_MS)
      }
    }
  }
  const sent: SentMessage[] = []
  const flush = coalesceCalls(() => write(sent.splice(0)))
  let recorded: Promise<unknown> = Promise.resolve()
  return {
    async recordSent(message: SentMessage) {
      sent.push(message)
      const recording = flush()
      // The caller receives the error; the next lease only waits for this write to finish.
      recorded = recording.catch(() => null)
      await recording
    },
    /** resolves when the latest results have been recorded or could not be recorded */
    waitForRecords: () => recorded,
  }
}

/**
 * Creates the exponential backoff for a channel's concurrent delivery loops (lanes). Each lane has its own state. If
 * all lanes have failed, the first success wakes the others.
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
        await pauseUnlessStopping(longest * (0.75 + Math.random() / 4), AbortSignal.any([stopping, recovery.signal]))
      },
    }
  }
}
