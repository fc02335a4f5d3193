/**
 * `none`: the browser denies storage; `newer`: a newer app version has upgraded the database, so this version must not
 * write to it; `slow`: the storage does not respond.
 */
export type StorageHealth = 'ok' | 'none' | 'newer' | 'slow'

const LIMIT_MS = 2_000
/** Time in ms after a timeout during which further calls fail without being attempted. */
const REST_MS = 5_000

class StorageSilent extends Error {
  override name = 'StorageSilent'
}

/**
 * Whether the error means that the browser has closed the database connection, which Safari does without an event.
 * Reopening the database suffices.
 */
const isDead = (error: unknown) => error instanceof Error && /^(?:InvalidState|Abort|Unknown)Error$/.test(error.name)

type Use<Database> = {
  open(onLost: () => void): Promise<Database>
  /** Like `setTimeout`. Returns a function that cancels the timer. */
  after(ms: number, act: () => void): () => void
  /** called when the browser has closed the database */
  onLost: () => void
  /** current health of the storage, updated in place */
  condition: { disk: StorageHealth }
}

/**
 * Database access with a timeout per operation. The database is opened on first use and reopened if its connection is
 * dead.
 */
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
    // An open connection is closed synchronously, because a page may be frozen right after the user leaves it.
    if (handle) handle.close()
    else
      opening?.then(
        database => database.close(),
        // If the database failed to open, there is nothing to close.
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
    /**
     * Runs an operation.
     * @throws any error of the operation, or a timeout error, within four seconds
     */
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
