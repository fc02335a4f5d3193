import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerContext } from '#server/context.ts'
import { isUnavailable } from '#server/db/unavailable.ts'
import { factsOf } from '#server/error-facts.ts'
import { createCalendars } from '#server/features/calendar/service.ts'
import { shareFresh } from '#server/features/courses/cache.ts'
import { rest } from '#server/rest.ts'
import { trace } from '#server/traces/trace.ts'
import type { MailKind, MailValues } from './kinds.ts'
import { writeLetter } from './letter.ts'
import { deleteMail, takeDueMails, updateRefused, updateReleased, updateSent } from './outbox.ts'
import { createQueue, type MailQueue, type TakenMail } from './queue.ts'
import { createRush } from './rush.ts'
import { createSecrets } from './secrets.ts'
import { judgeFailure, type Letter, openTransport } from './transport.ts'

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
const LONGEST_TROUBLE_MS = 60_000
/** Of the stop after it has hung up: for the notes. */
const LAST_NOTES_MS = 600
const NOTE_AGAIN_MS = 200
/** A mail server that says nothing may have taken the mail all the same: not the next copy at once. */
const SILENCE_S = 60

/** Mails that bring the lessons along as a calendar file. */
const WITH_LESSONS: MailKind[] = ['booking', 'waiting-list', 'promotion']

type Context = Pick<ServerContext, 'db' | 'config' | 'log'>

/** What of a failure may stand in a log: codes, but not the address that mail servers like to repeat. */
const describe = (error: unknown) => {
  const { code, responseCode } = factsOf(error)
  return { code, responseCode }
}

/**
 * Sends the mails of the outbox over several connections, one of them for urgent mails alone. Any number of servers may do so
 * beside each other: a mail is taken by one of them, noted as sent the moment the mail server has taken it, and tried again
 * after everything else. Only a crash, a loss of the database, or of the mail server's answer, between these two steps makes a second
 * copy, under the same Message-ID.
 * See docs/decisions/0005.
 */
export function startMailSender({ db, config, log }: Context, times: Partial<SenderTimes> = {}): MailSender {
  const { leaseMs, sendMs, idleMs, troubleMs, patienceMs } = { ...TIMES, ...times }
  const transport = openTransport(config)
  const secrets = createSecrets(db)
  const calendars = createCalendars({ db, config })
  const rush = createRush()
  const stopping = new AbortController()
  const hangingUp = new AbortController()

  /** The mails are out: for as long as the database is away nobody else can take them either. */
  const insist = async (ids: number[]) => {
    for (;;) {
      try {
        return await updateSent(db, ids)
      } catch (error) {
        if (!isUnavailable(error) || hangingUp.signal.aborted) throw error
        await sleep(NOTE_AGAIN_MS)
      }
    }
  }
  const out: number[] = []
  // What comes while one note is under way goes together into the next.
  const flush = shareFresh(() => insist(out.splice(0)))
  let noted: Promise<unknown> = Promise.resolve()
  const noteSent = async (mail: TakenMail) => {
    out.push(mail.id)
    const noting = flush()
    // Who sent the mail meets the fault; who takes the next ones only waits.
    noted = noting.catch(() => null)
    await noting
  }

  /** @returns whether the mail server can be worked with */
  const noteFailure = async (mail: TakenMail, error: unknown): Promise<boolean> => {
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    if (hangingUp.signal.aborted) {
      await updateReleased(db, [mail], { reason, waitS: 0 })
      return true
    }
    const verdict = judgeFailure(error)
    log.warn({ mailId: mail.id, kind: mail.kind, verdict, ...describe(error) }, 'mail not sent')
    if (verdict === 'unreachable' || verdict === 'silent') {
      await updateReleased(db, [mail], { reason, waitS: verdict === 'silent' ? SILENCE_S : 0 })
      return false
    }
    await refuse(mail, reason, verdict === 'never')
    return true
  }

  const refuse = async (mail: TakenMail, reason: string, isFinal: boolean) => {
    const givenUp = await updateRefused(db, mail, { reason, isFinal })
    if (givenUp === null) return
    secrets.forget(mail)
    log.error({ mailId: mail.id, kind: mail.kind, givenUp }, 'mail given up: see npm run mails -- --given-up')
  }

  const send = async (letter: Letter) => {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), sendMs)
    await transport.send(letter, AbortSignal.any([limit.signal, hangingUp.signal])).finally(() => clearTimeout(timer))
  }

  /** As the lessons are now: a mail that waited long does not bring old ones. */
  const findCalendar = async ({ kind, webUserId, payload, language }: TakenMail): Promise<string | null> =>
    WITH_LESSONS.includes(kind) && webUserId !== null && 'courseId' in payload
      ? calendars.getCourseCalendar(webUserId, payload.courseId, language)
      : null

  /** @returns whether the mail server can be worked with */
  const deliver = async (mail: TakenMail): Promise<boolean> => {
    if (performance.now() > mail.takenAt + leaseMs - sendMs) {
      // Somebody else could take it before it is out.
      await updateReleased(db, [mail], { reason: '', waitS: 0 })
      return true
    }
    const secret = await secrets.mint(mail)
    if (secret === null) {
      await deleteMail(db, mail.id)
      return true
    }
    const calendar = await findCalendar(mail)
    let letter: Letter
    try {
      letter = writeLetter(
        { ...mail, payload: { ...mail.payload, ...secret } as MailValues[MailKind] },
        config,
        calendar,
      )
    } catch (error) {
      log.error({ err: error, mailId: mail.id, kind: mail.kind }, 'mail cannot be written')
      await refuse(mail, 'cannot be written', true)
      return true
    }
    try {
      const facts = { 'portal.mail_id': mail.id, 'portal.language': mail.language, 'portal.attempts': mail.attempts }
      await trace('mail', `mail ${mail.kind}`, facts, () => send(letter))
    } catch (error) {
      return noteFailure(mail, error)
    }
    secrets.forget(mail)
    await noteSent(mail)
    return true
  }

  const onTrouble = (error: unknown) => log.error({ err: error }, 'the outbox cannot be read or written')
  const openQueue = (limit: number, isUrgentOnly: boolean) =>
    createQueue({
      async take() {
        // After an outage the notes first: the leases of what is out may have ended meanwhile.
        await noted
        return takeDueMails(db, { limit, leaseMs, isUrgentOnly: isUrgentOnly || rush.isOn() })
      },
      idleMs,
      troubleMs,
      stopping: stopping.signal,
      onTrouble,
    })
  const lanes = transport.connections
  const queues = lanes > 1 ? [openQueue(2 * lanes, false), openQueue(1, true)] : [openQueue(2, false)]

  const inTrouble = new Set<object>()
  let recovery = new AbortController()
  let isAway = false
  const pauseInTrouble = async (troubles: number) => {
    const longest = Math.min(troubleMs * 2 ** Math.min(troubles - 1, 10), LONGEST_TROUBLE_MS)
    const signal = AbortSignal.any([stopping.signal, recovery.signal])
    await rest(longest * (0.75 + Math.random() / 4), signal)
  }
  /** Sends over one connection, which has its own troubles; once the first one works again all do. */
  const runLane = async (queue: MailQueue) => {
    const lane = {}
    let troubles = 0
    for (let mail = await queue.next(); mail; mail = await queue.next()) {
      const isWorking = await deliver(mail).catch(error => {
        onTrouble(error)
        return false
      })
      if (isWorking) {
        troubles = 0
        inTrouble.delete(lane)
        if (isAway) recovery.abort()
        if (isAway) recovery = new AbortController()
        isAway = false
      } else {
        inTrouble.add(lane)
        isAway ||= inTrouble.size === lanes
        troubles += 1
        await pauseInTrouble(troubles)
      }
    }
  }
  const run = async () => {
    const running = Array.from({ length: lanes }, (_, lane) =>
      runLane(queues[lane === 0 ? queues.length - 1 : 0] as MailQueue),
    )
    await Promise.all(running)
    const left = queues.flatMap(queue => queue.drain())
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
