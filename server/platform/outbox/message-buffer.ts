import { pauseUnlessStopping } from '#server/platform/process/background-task.ts'

/** Message that this process has leased. `takenAt`: value of `performance.now()` at that time. */
export type LeasedMessage<Message> = Message & { takenAt: number }

export type MessageBuffer<Message> = {
  /** Resolves to the next message whose destination has a free slot, or to null when the sender stops. */
  next(): Promise<LeasedMessage<Message> | null>
  /** Frees the slot of a message that `next` has returned. */
  finish(message: Message): void
  /** Signals that there are new messages in the outbox. */
  wake(): void
  /**
   * Removes and returns all leased messages that `next` has not returned. Must be called after the sender has stopped.
   */
  drain(): Promise<LeasedMessage<Message>[]>
}

type Options<Message> = {
  /** leases messages from the outbox, except those for `busy` destinations; may fail */
  take: (busy: string[]) => Promise<Message[]>
  /** maximum number of concurrent deliveries to one destination */
  perDestination: number
  /** more messages are leased when fewer than this are buffered and deliverable */
  lowMark: number
  /** poll interval in ms while there is nothing to send */
  idleMs: number
  /** delay in ms after a failed poll */
  troubleMs: number
  stopping: AbortSignal
  onTrouble: (error: unknown) => void
}

/**
 * Creates a buffer of leased messages that several delivery loops share. At most one poll of the outbox is in progress
 * at any time, and the number of concurrent deliveries per destination is limited. See docs/decisions/0045.
 */
export function createMessageBuffer<Message extends { destination: string }>({
  take,
  perDestination,
  lowMark,
  idleMs,
  troubleMs,
  stopping,
  onTrouble,
}: Options<Message>): MessageBuffer<Message> {
  const taken: LeasedMessage<Message>[] = []
  const running = new Map<string, number>()
  let isWoken = false
  let endIdling = () => {}
  let looking: Promise<void> | null = null

  const isBusy = (destination: string) => (running.get(destination) ?? 0) >= perDestination
  /**
   * Waits for the poll interval, a wake-up or the shutdown. AbortController is avoided, because every booking wakes the
   * buffer, and creating an AbortError would take longer than the wake-up itself.
   */
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
  const wake = () => {
    isWoken = true
    endIdling()
  }
  const poll = async () => {
    isWoken = false
    try {
      const takenAt = performance.now()
      const messages = await take([...running.keys()].filter(isBusy))
      taken.push(...messages.map(message => ({ ...message, takenAt })))
      if (messages.length === 0) await idle()
    } catch (error) {
      onTrouble(error)
      await pauseUnlessStopping(troubleMs, stopping)
    }
  }
  return {
    async next() {
      while (!stopping.aborted) {
        const deliverable = taken.filter(({ destination }) => !isBusy(destination))
        const [message] = deliverable
        if (deliverable.length <= lowMark) {
          looking ??= poll().finally(() => {
            looking = null
          })
        }
        if (message) {
          taken.splice(taken.indexOf(message), 1)
          running.set(message.destination, (running.get(message.destination) ?? 0) + 1)
          return message
        }
        await looking
      }
      return null
    },
    finish({ destination }) {
      const left = (running.get(destination) ?? 1) - 1
      if (left > 0) running.set(destination, left)
      else running.delete(destination)
      // A buffered message may have been waiting for the freed slot.
      if (taken.length > 0) wake()
    },
    wake,
    async drain() {
      await looking
      return taken.splice(0)
    },
  }
}
