/**
 * `none`: the browser denies storage; `newer`: the database was upgraded by a newer app version and must not be
 * written; `slow`: it does not respond.
 */
export type StorageHealth = 'ok' | 'none' | 'newer' | 'slow'

const LIMIT_MS = 2_000
/** After a timeout, calls fail immediately for this long. */
const REST_MS = 5_000

class StorageSilent extends Error {
  override name = 'StorageSilent'
}

/** A connection closed by the browser (Safari does so without an event) works again after reopening. */
const isDead = (error: unknown) => error instanceof Error && /^(?:InvalidState|Abort|Unknown)Error$/.test(error.name)

type Use<Database> = {
  open(onLost: () => void): Promise<Database>
  /** Like `setTimeout`. Returns the cancel function. */
  after(ms: number, act: () => void): () => void
  /** called when the browser has closed the database */
  onLost: () => void
  /** current health of the storage; the object is updated in place */
  condition: { disk: StorageHealth }
}

/** Database access with a timeout per operation; opened on first use, reopened when the connection is dead. */
export function createStorageWithTimeout<Database extends { close(): void }>(world: Use<Database>) {
  let opening: Promise<Database> | null = null
  let handle: Database | null = null
  let isResting = false
  let isClosed = false

  const within = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const stop = world.after(LIMIT_MS, () => reject(new StorageSilent('no answer')))
      work.then(resolve, reject).finally(stop)
    })

  /** Closes the connection and aborts pending operations. */
  function release(): void {
    // Synchronously if possible: a page that is left may be frozen before any later task.
    if (handle) handle.close()
    else
      opening?.then(
        database => database.close(),
        // A failed open leaves nothing to close.
        () => undefined,
      )
    handle = null
    opening = null
  }

  function open(): Promise<Database> {
    if (opening) return opening
    const mine = world.open(() => {
      if (opening !== mine) return
      release()
      world.onLost()
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
    release,
    /** Closes permanently. */
    close(): void {
      isClosed = true
      release()
    },
    /** @throws any error of the operation, or a timeout error, within four seconds */
    async run<T>(use: (database: Database) => Promise<T>): Promise<T> {
      if (isResting || isClosed) throw new StorageSilent('resting')
      for (let isAgain = false; ; isAgain = true) {
        try {
          const mine = open()
          const database = await within(mine)
          if (opening === mine) handle = database
          const result = await within(use(database))
          world.condition.disk = 'ok'
          return result
        } catch (error) {
          release()
          if (error instanceof StorageSilent) {
            world.condition.disk = 'slow'
            rest()
          } else if (isDead(error) && !isAgain) continue
          else world.condition.disk = error instanceof DOMException && error.name === 'VersionError' ? 'newer' : 'none'
          throw error
        }
      }
    },
  }
}
