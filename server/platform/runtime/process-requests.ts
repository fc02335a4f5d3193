import { isUnavailable, UnavailableError } from '#server/platform/db/unavailable.ts'
import type { Heartbeat, ProcessChannel } from './heartbeat.ts'

/** Handlers for requests between the primary process and the workers, keyed by the name of the request. */
export type ProcessRequestHandlers = Record<string, (value: never) => unknown>

type Question = { id: number; name: string; value: unknown }
type Answer = { id: number; value?: unknown; fault?: { message: string; code?: unknown; isUnavailable: boolean } }

/** Batches the messages of one event loop iteration, because there are many of them when booking opens. */
function gather<Part>(send: (parts: Part[]) => void): (part: Part) => void {
  let parts: Part[] = []
  return part => {
    parts.push(part)
    if (parts.length > 1) return
    setImmediate(() => {
      const all = parts
      parts = []
      send(all)
    })
  }
}

/** Responds to requests from another process. Responses to a process that has ended are dropped. */
export function handleProcessRequests(channel: ProcessChannel, handlers: ProcessRequestHandlers): void {
  const answer = gather((answers: Answer[]) => {
    if (channel.isConnected()) channel.send?.({ answers })
  })
  channel.on('message', message => {
    const { questions = [] }: { questions?: Question[] } = Object(message)
    for (const { id, name, value } of questions) {
      Promise.resolve(handlers[name]?.(value as never)).then(
        value => answer({ id, value }),
        error =>
          answer({ id, fault: { message: error.message, code: error.code, isUnavailable: isUnavailable(error) } }),
      )
    }
  })
}

export type ProcessRequester = <Result>(name: string, value: unknown) => Promise<Result>

/**
 * Creates a function that sends requests to another process. If that process is unresponsive for 3 s, pending and new
 * requests are rejected until it sends a message again. See docs/decisions/0070 and 0140.
 * @throws Error as reported by the other process, or UnavailableError
 */
export function createProcessRequester(
  channel: ProcessChannel,
  heartbeat: Pick<Heartbeat, 'isSilent' | 'onSilent'>,
): ProcessRequester {
  type Waiter = { resolve: (value: never) => void; reject: (error: Error) => void }
  const waiting = new Map<number, Waiter>()
  const send = gather((questions: Question[]) => {
    if (channel.isConnected()) channel.send?.({ questions })
  })
  let last = 0
  channel.on('message', message => {
    const { answers = [] }: { answers?: Answer[] } = Object(message)
    for (const { id, value, fault } of answers) {
      const waiter = waiting.get(id)
      waiting.delete(id)
      if (!fault) waiter?.resolve(value as never)
      else if (fault.isUnavailable) waiter?.reject(new UnavailableError(fault.message))
      else waiter?.reject(Object.assign(new Error(fault.message), { code: fault.code }))
    }
  })
  const silence = () => new UnavailableError('another process of the portal does not answer')
  heartbeat.onSilent(() => {
    for (const { reject } of waiting.values()) reject(silence())
    waiting.clear()
  })
  return (name, value) =>
    new Promise((resolve, reject) => {
      if (heartbeat.isSilent()) return reject(silence())
      last += 1
      waiting.set(last, { resolve, reject })
      send({ id: last, name, value })
    })
}
