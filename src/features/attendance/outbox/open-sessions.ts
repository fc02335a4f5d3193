const PREFIX = 'attendance-session '
/** A browser that does not answer may not keep the list off the screen, nor names on the phone. */
const PATIENCE_MS = 1_000

/** Which sessions are open in some tab of this device: each tab says so by a lock, which ends with the tab whatever ends it. */
export type OpenSessions = {
  /** Says that this session (none: null) is open in this tab, in place of the former one. */
  enter(id: string | null): Promise<void>
  list(): Promise<ReadonlySet<string>>
  /** The page is left: a lock would keep it out of the back/forward cache. */
  pause(): void
  /** The page is back. */
  resume(): void
}

/** @param locks missing where the browser has no Web Locks: no session is known to be open there */
export function createOpenSessions(
  locks: Pick<LockManager, 'request' | 'query'> | undefined,
  after: (ms: number, act: () => void) => () => void,
): OpenSessions {
  let current: string | null = null
  let letGo = async () => {}

  const inTime = <T>(work: Promise<T>, otherwise: T) =>
    new Promise<T>(resolve => {
      const stop = after(PATIENCE_MS, () => resolve(otherwise))
      work
        // Browsers without such locks answer like those that answer too late.
        .catch(() => otherwise)
        .then(value => {
          stop()
          resolve(value)
        })
    })

  function hold(id: string): void {
    if (!locks) return
    let release = () => {}
    const isReleased = new Promise<void>(resolve => {
      release = resolve
    })
    const ended = locks.request(PREFIX + id, { mode: 'shared' }, () => isReleased)
    letGo = () => {
      release()
      return inTime(ended, undefined)
    }
    // Who waits for it hears of it.
    ended.catch(() => undefined)
  }

  return {
    enter: async id => {
      if (id === current) return
      current = id
      const before = letGo()
      letGo = async () => {}
      if (id !== null) hold(id)
      await before
    },
    list: async () => {
      if (!locks) return new Set()
      const { held = [] } = await inTime<LockManagerSnapshot>(locks.query(), {})
      return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : [])))
    },
    pause: () => {
      letGo()
      letGo = async () => {}
    },
    resume: () => {
      if (current !== null) hold(current)
    },
  }
}
