import { rest } from '#server/rest.ts'
import type { DueMail } from './outbox.ts'

/** A mail in this process's hands since then, by `performance.now()`. */
export type TakenMail = DueMail & { takenAt: number }

export type MailQueue = {
  /** The next mail, whenever there is one; null: the sender stops. */
  next(): Promise<TakenMail | null>
  /** There is something new in the outbox. */
  wake(): void
  /** What was taken and not handed out, once the sender stops. */
  drain(): Promise<TakenMail[]>
}

type Options = {
  /** Takes some mails from the outbox; may fail. */
  take: () => Promise<DueMail[]>
  /** Takes the next ones when fewer are left. */
  lowMark: number
  /** between looks while there is nothing to send */
  idleMs: number
  /** after a look that failed */
  troubleMs: number
  stopping: AbortSignal
  onTrouble: (error: unknown) => void
}

/** Mails for several who send at once: taken by one look at a time, handed out one by one. See docs/decisions/0045. */
export function createQueue({ take, lowMark, idleMs, troubleMs, stopping, onTrouble }: Options): MailQueue {
  const taken: TakenMail[] = []
  let isWoken = false
  let endIdling = () => {}
  let looking: Promise<void> | null = null

  /** Every booking wakes it: without an abort, whose error would cost more than the waking. */
  const idle = () =>
    new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer)
        stopping.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, isWoken || stopping.aborted ? 0 : idleMs)
      stopping.addEventListener('abort', end)
      endIdling = end
    })
  const poll = async () => {
    isWoken = false
    try {
      const takenAt = performance.now()
      const mails = await take()
      taken.push(...mails.map(mail => ({ ...mail, takenAt })))
      if (mails.length === 0) await idle()
    } catch (error) {
      onTrouble(error)
      await rest(troubleMs, stopping)
    }
  }
  return {
    async next() {
      while (!stopping.aborted) {
        const mail = taken.shift()
        if (!mail || taken.length < lowMark) {
          looking ??= poll().finally(() => {
            looking = null
          })
        }
        if (mail) return mail
        await looking
      }
      return null
    },
    wake() {
      isWoken = true
      endIdling()
    },
    async drain() {
      await looking
      return taken.splice(0)
    },
  }
}
