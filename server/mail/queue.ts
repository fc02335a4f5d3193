import { rest } from '#server/runtime/rest.ts'
import type { DueMail } from './outbox.ts'

/** Mail leased by this process; `takenAt` is the `performance.now()` of the lease. */
export type TakenMail = DueMail & { takenAt: number }

export type MailQueue = {
  /** Resolves with the next mail as soon as there is one; null when the sender stops. */
  next(): Promise<TakenMail | null>
  /** Signals new mails in the outbox. */
  wake(): void
  /** What was taken and not handed out, once the sender stops. */
  drain(): Promise<TakenMail[]>
}

type Options = {
  /** Leases mails from the outbox; may fail. */
  take: () => Promise<DueMail[]>
  /** Takes the next ones when fewer are left. */
  lowMark: number
  /** between looks while there is nothing to send */
  idleMs: number
  /** delay after a failed poll */
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

  /** Woken by every booking: avoids AbortController, whose error would cost more than the wake-up. */
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
