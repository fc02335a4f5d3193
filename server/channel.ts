import { isUnavailable, UnavailableError } from './db/unavailable.ts'

/** What one process of the portal asks the one in charge, and the other way round. */
export type Handlers = Record<string, (value: never) => unknown>

type Question = { id: number; name: string; value: unknown }
type Answer = { id: number; value?: unknown; fault?: { message: string; code?: unknown; isUnavailable: boolean } }
type Side = {
  on(event: 'message', listener: (message: unknown) => void): unknown
  send?(message: object, ...rest: never[]): boolean
}

/** Gathers what is to be sent in one turn of the event loop: at the opening second it is much. */
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

/** The process in charge answers what another one asks. One that has gone does not wait for its answers. */
export function answerQuestions(side: Side & { isConnected(): boolean }, handlers: Handlers): void {
  const answer = gather((answers: Answer[]) => {
    if (side.isConnected()) side.send?.({ answers })
  })
  side.on('message', message => {
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

export type Ask = <Result>(name: string, value: unknown) => Promise<Result>

/** See docs/decisions/0070. @throws Error as the process in charge met it, of which isUnavailable knows */
export function createAsk(side: Side): Ask {
  type Waiter = { resolve: (value: never) => void; reject: (error: Error) => void }
  const waiting = new Map<number, Waiter>()
  const send = gather((questions: Question[]) => side.send?.({ questions }))
  let last = 0
  side.on('message', message => {
    const { answers = [] }: { answers?: Answer[] } = Object(message)
    for (const { id, value, fault } of answers) {
      const waiter = waiting.get(id)
      waiting.delete(id)
      if (!fault) waiter?.resolve(value as never)
      else if (fault.isUnavailable) waiter?.reject(new UnavailableError(fault.message))
      else waiter?.reject(Object.assign(new Error(fault.message), { code: fault.code }))
    }
  })
  return (name, value) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      send({ id: last, name, value })
    })
}
