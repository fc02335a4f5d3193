import type { OutboxDatabase } from './database.ts'
import type { World } from './world.ts'

/**
 * How this phone's storage is. `none`: the browser refuses to store; `newer`: a newer version of the app has been here,
 * this one may not write; `slow`: it does not answer
 */
export type StorageHealth = 'ok' | 'none' | 'newer' | 'slow'

export type GuardedStorage = ReturnType<typeof createStorage>

const LIMIT_MS = 2_000
/** After it did not answer nobody waits for it again until then. */
const REST_MS = 5_000

class StorageSilent extends Error {
  override name = 'StorageSilent'
}

/** A handle that the browser has ended (Safari does so without telling) serves again once it is opened anew. */
const isDead = (error: unknown) => error instanceof Error && /^(?:InvalidState|Abort|Unknown)Error$/.test(error.name)

/**
 * The outbox's database with a limit for every wait, opened at the first use and again when its handle is dead.
 * @param onLost called when the browser takes the database away
 */
export function createStorage(world: Pick<World, 'openDatabase' | 'after'>, onLost: () => void) {
  let opening: Promise<OutboxDatabase> | null = null
  let handle: OutboxDatabase | null = null
  let health: StorageHealth = 'ok'
  let isResting = false
  let isClosed = false

  const within = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const stop = world.after(LIMIT_MS, () => reject(new StorageSilent('no answer')))
      work.then(resolve, reject).finally(stop)
    })

  /** Gives the handle up, and whatever it is still doing. */
  function release(): void {
    // At once where it can be: a page that is left may be frozen before anything else happens.
    if (handle) handle.close()
    else
      opening?.then(
        database => database.close(),
        () => undefined,
      )
    handle = null
    opening = null
  }

  function open(): Promise<OutboxDatabase> {
    if (opening) return opening
    const mine = world.openDatabase(() => {
      if (opening !== mine) return
      release()
      onLost()
    })
    opening = mine
    return mine
  }

  function rest(): void {
    isResting = true
    world.after(REST_MS, () => {
      isResting = false
    })
  }

  return {
    health: () => health,
    release,
    /** For good. */
    close(): void {
      isClosed = true
      release()
    },
    /** @throws whatever went wrong, within four seconds */
    async run<T>(use: (database: OutboxDatabase) => Promise<T>): Promise<T> {
      if (isResting || isClosed) throw new StorageSilent('resting')
      for (let isAgain = false; ; isAgain = true) {
        try {
          const mine = open()
          const database = await within(mine)
          if (opening === mine) handle = database
          const result = await within(use(database))
          health = 'ok'
          return result
        } catch (error) {
          release()
          if (error instanceof StorageSilent) {
            health = 'slow'
            rest()
          } else if (isDead(error) && !isAgain) continue
          else health = error instanceof DOMException && error.name === 'VersionError' ? 'newer' : 'none'
          throw error
        }
      }
    },
  }
}
