import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerContext } from '#server/runtime/context.ts'
import { createBurstDetector } from './burst-detector.ts'
import { createConnectionBackoff } from './connection-backoff.ts'
import { createDelivery } from './delivery.ts'
import { takeDueMails, updateReleased } from './outbox.ts'
import { createQueue, type MailQueue } from './queue.ts'
import { openTransport } from './transport.ts'

export type MailSender = {
  wake(): void
  /** Waits a moment for the mails under way; what is left waits for the next start. */
  stop(): Promise<void>
}

export type SenderTimes = {
  /** longer than a mail may wait here and be sent, and the longest wait after a crash in the middle of it */
  leaseMs: number
  /** what one mail may take */
  sendMs: number
  /** between looks for mails of other servers, and for those to be tried again */
  idleMs: number
  /** the first pause when the mail server cannot be reached; doubled up to a minute */
  troubleMs: number
  /** what a stop waits for mails under way, before it hangs up on the mail server */
  patienceMs: number
}

const TIMES: SenderTimes = { leaseMs: 45_000, sendMs: 30_000, idleMs: 2_000, troubleMs: 1_000, patienceMs: 1_200 }
/** Of the stop after it has hung up: for the notes. */
const LAST_NOTES_MS = 600

type Context = Pick<ServerContext, 'db' | 'config' | 'log'>

/**
 * Sends the mails of the outbox over several connections, one of them for urgent mails alone. Any number of servers may do so
 * beside each other: a mail is taken by one of them, noted as sent the moment the mail server has taken it, and tried again
 * after everything else. Only a crash, a loss of the database, or of the mail server's answer, between these two steps makes a second
 * copy, under the same Message-ID.
 * See docs/decisions/0045.
 */
export function startMailSender({ db, config, log }: Context, times: Partial<SenderTimes> = {}): MailSender {
  const { leaseMs, sendMs, idleMs, troubleMs, patienceMs } = { ...TIMES, ...times }
  const transport = openTransport(config)
  const rush = createBurstDetector()
  const stopping = new AbortController()
  const hangingUp = new AbortController()
  const delivery = createDelivery({ db, config, log }, transport, { leaseMs, sendMs, hangingUp: hangingUp.signal })
  const onTrouble = (error: unknown) => log.error({ err: error }, 'the outbox cannot be read or written')
  const openQueue = (limit: number, isUrgentOnly: boolean) =>
    createQueue({
      async take() {
        // After an outage the notes first: the leases of what is out may have ended meanwhile.
        await delivery.waitForNotes()
        return takeDueMails(db, { limit, leaseMs, isUrgentOnly: isUrgentOnly || rush.isOn() })
      },
      lowMark: Math.floor(limit / 2),
      idleMs,
      troubleMs,
      stopping: stopping.signal,
      onTrouble,
    })
  const lanes = transport.connections
  const queues = lanes > 1 ? [openQueue(2 * lanes, false), openQueue(1, true)] : [openQueue(2, false)]

  const createLane = createConnectionBackoff({ count: lanes, troubleMs, stopping: stopping.signal })
  const runLane = async (queue: MailQueue) => {
    const lane = createLane()
    for (let mail = await queue.next(); mail; mail = await queue.next()) {
      const isWorking = await delivery.deliver(mail).catch(error => {
        onTrouble(error)
        return false
      })
      await (isWorking ? lane.goOn() : lane.rest())
    }
  }
  const run = async () => {
    const running = Array.from({ length: lanes }, (_, lane) =>
      runLane(queues[lane === 0 ? queues.length - 1 : 0] as MailQueue),
    )
    await Promise.all(running)
    const left = (await Promise.all(queues.map(queue => queue.drain()))).flat()
    if (left.length > 0) await updateReleased(db, left, { reason: '', waitS: 0 }).catch(onTrouble)
  }
  const ended = run()

  return {
    wake() {
      if (!rush.note()) return
      for (const queue of queues) queue.wake()
    },
    async stop() {
      stopping.abort()
      await Promise.race([ended, sleep(patienceMs)])
      hangingUp.abort()
      await Promise.race([ended, sleep(LAST_NOTES_MS)])
      transport.close()
    },
  }
}
