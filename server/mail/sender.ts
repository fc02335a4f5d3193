import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerContext } from '#server/context.ts'
import type { MailKind, MailValues } from './kinds.ts'
import { writeLetter } from './letter.ts'
import { type DueMail, deleteMail, takeDueMail, updateRefused, updateReleased, updateSent } from './outbox.ts'
import { createSecrets } from './secrets.ts'
import { judgeFailure, type Letter, openTransport } from './transport.ts'

export type MailSender = {
  /** There is something new in the outbox. */
  wake(): void
  /** Waits for the mail under way; what is left waits for the next start. */
  stop(): Promise<void>
}

export type SenderTimes = {
  /** longer than sending one mail can take, and the longest wait after a crash in the middle of one */
  leaseMs: number
  /** between looks for mails of other servers, and for those to be tried again */
  idleMs: number
  /** the first pause when the mail server cannot be reached; doubled up to a minute */
  troubleMs: number
}

const TIMES: SenderTimes = { leaseMs: 180_000, idleMs: 10_000, troubleMs: 1_000 }
const LONGEST_TROUBLE_MS = 60_000

type Step = 'sent' | 'idle' | 'trouble'
type Context = Pick<ServerContext, 'db' | 'config' | 'log'>

/** What of a failure may stand in a log: codes, but not the address that mail servers like to repeat. */
const describe = (error: unknown) => {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return { code, responseCode }
}

/**
 * Sends the mails of the outbox, one at a time. Any number of servers may do so beside each other: a mail is taken by one of
 * them, noted as sent the moment the mail server has taken it, and tried again after everything else. Only a crash, or a
 * loss of the database, between these two steps makes a second copy, under the same Message-ID.
 */
export function startMailSender({ db, config, log }: Context, times: Partial<SenderTimes> = {}): MailSender {
  const { leaseMs, idleMs, troubleMs } = { ...TIMES, ...times }
  const transport = openTransport(config)
  const secrets = createSecrets(db)
  const stopping = new AbortController()
  let isWoken = false
  let endIdling = () => {}

  const noteSent = async (mail: DueMail) => {
    const giveUpAt = performance.now() + leaseMs / 2
    for (;;) {
      try {
        return await updateSent(db, mail.id)
      } catch (error) {
        // The mail is out, so it is worth insisting until somebody else could take it.
        if (performance.now() > giveUpAt) throw error
        await sleep(100)
      }
    }
  }

  const noteFailure = async (mail: DueMail, error: unknown): Promise<Step> => {
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const verdict = judgeFailure(error)
    log.warn({ mailId: mail.id, kind: mail.kind, verdict, ...describe(error) }, 'mail not sent')
    if (verdict === 'unreachable') await updateReleased(db, mail.id, reason)
    else await updateRefused(db, mail.id, { reason, isFinal: verdict === 'never' })
    return verdict === 'unreachable' ? 'trouble' : 'sent'
  }

  const step = async (): Promise<Step> => {
    const mail = await takeDueMail(db, leaseMs)
    if (mail === null) return 'idle'
    const secret = await secrets.mint(mail)
    if (secret === null) {
      await deleteMail(db, mail.id)
      return 'sent'
    }
    let letter: Letter
    try {
      letter = writeLetter({ ...mail, payload: { ...mail.payload, ...secret } as MailValues[MailKind] }, config)
    } catch (error) {
      log.error({ err: error, mailId: mail.id, kind: mail.kind }, 'mail cannot be written')
      await updateRefused(db, mail.id, { reason: 'cannot be written', isFinal: true })
      return 'sent'
    }
    try {
      await transport.send(letter)
    } catch (error) {
      return noteFailure(mail, error)
    }
    secrets.forget(mail)
    await noteSent(mail)
    return 'sent'
  }

  const pause = async (ms: number, isWakeable: boolean) => {
    if (isWakeable && isWoken) return
    const waking = new AbortController()
    endIdling = () => isWakeable && waking.abort()
    const signal = AbortSignal.any([stopping.signal, waking.signal])
    await sleep(ms, undefined, { signal }).catch(() => null)
  }

  const troublePauseMs = (troubles: number) =>
    Math.min(troubleMs * 2 ** Math.min(troubles - 1, 10), LONGEST_TROUBLE_MS) * (0.75 + Math.random() / 4)

  const run = async () => {
    let troubles = 0
    while (!stopping.signal.aborted) {
      isWoken = false
      const outcome = await step().catch((error): Step => {
        log.error({ err: error }, 'the outbox cannot be read or written')
        return 'trouble'
      })
      troubles = outcome === 'trouble' ? troubles + 1 : 0
      if (outcome === 'idle') await pause(idleMs, true)
      if (outcome === 'trouble') await pause(troublePauseMs(troubles), false)
    }
    transport.close()
  }
  const ended = run()

  return {
    wake() {
      isWoken = true
      endIdling()
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
