import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '#server/db/unavailable.ts'
import { factsOf } from '#server/errors/error-facts.ts'
import { createCalendars } from '#server/features/calendar/service.ts'
import { shareFresh } from '#server/features/courses/cache.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { trace } from '#server/traces/trace.ts'
import type { MailKind, MailValues } from './kinds.ts'
import { writeLetter } from './letter.ts'
import { deleteMail, updateRefused, updateReleased, updateSent } from './outbox.ts'
import type { TakenMail } from './queue.ts'
import { createSecrets } from './secrets.ts'
import { judgeFailure, type Letter, type Transport } from './transport.ts'

const NOTE_AGAIN_MS = 200
/** Retry delay after a timeout: the server may have accepted the mail, and an immediate retry would duplicate it. */
const SILENCE_S = 60

/** Kinds that include the lessons as a calendar attachment. */
const WITH_LESSONS: MailKind[] = ['booking', 'waiting-list', 'promotion']

type DeliveryOptions = {
  /** lease duration of a mail */
  leaseMs: number
  /** timeout for sending one mail */
  sendMs: number
  hangingUp: AbortSignal
}

/** Loggable part of an error: only codes, because SMTP responses often contain the recipient's address. */
const describe = (error: unknown) => {
  const { code, responseCode } = factsOf(error)
  return { code, responseCode }
}

/** Delivers one mail: renders and sends it, and records it as sent, released or refused. */
export function createDelivery(
  { db, config, log }: Pick<ServerContext, 'db' | 'config' | 'log'>,
  transport: Transport,
  { leaseMs, sendMs, hangingUp }: DeliveryOptions,
) {
  const secrets = createSecrets(db)
  const calendars = createCalendars({ db, config })

  /**
   * Retries until recorded: the mails have been sent, and without the database no other process can take them either.
   */
  const insist = async (ids: number[]) => {
    for (;;) {
      try {
        return await updateSent(db, ids)
      } catch (error) {
        if (!isUnavailable(error) || hangingUp.aborted) throw error
        await sleep(NOTE_AGAIN_MS)
      }
    }
  }
  const out: number[] = []
  // Notes that arrive while one is being written are batched into the next.
  const flush = shareFresh(() => insist(out.splice(0)))
  let noted: Promise<unknown> = Promise.resolve()
  const noteSent = async (mail: TakenMail) => {
    out.push(mail.id)
    const noting = flush()
    // The error is reported to the sender of the mail; the next mail only waits.
    noted = noting.catch(() => null)
    await noting
  }

  /** @returns whether the mail server is usable */
  const noteFailure = async (mail: TakenMail, error: unknown): Promise<boolean> => {
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    if (hangingUp.aborted) {
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
    await transport.send(letter, AbortSignal.any([limit.signal, hangingUp])).finally(() => clearTimeout(timer))
  }

  /** Current lessons: a mail that waited for long must not contain outdated ones. */
  const findCalendar = async ({ kind, webUserId, payload, language }: TakenMail): Promise<string | null> =>
    WITH_LESSONS.includes(kind) && webUserId !== null && 'courseId' in payload
      ? calendars.getCourseCalendar(webUserId, payload.courseId, language)
      : null

  /** @returns whether the mail server is usable */
  const deliver = async (mail: TakenMail): Promise<boolean> => {
    if (performance.now() > mail.takenAt + leaseMs - sendMs) {
      // The lease might expire before the mail is sent.
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

  return {
    deliver,
    /** Resolves when the last result is recorded or recording has failed. */
    waitForNotes: () => noted,
  }
}
