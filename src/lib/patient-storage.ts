/** `none`: the browser refuses to store; `newer`: a newer app has been here, this one may not write; `slow`: it does not answer. */
export type StorageHealth = 'ok' | 'none' | 'newer' | 'slow'

const LIMIT_MS = 2_000
/** After it did not answer nobody waits for it again until then. */
const REST_MS = 5_000

class StorageSilent extends Error {
  override name = 'StorageSilent'
}

/** A handle that the browser has ended (Safari does so without telling) serves again once it is opened anew. */
const isDead = (error: unknown) => error instanceof Error && /^(?:InvalidState|Abort|Unknown)Error$/.test(error.name)

type Use<Database> = {
  open(onLost: () => void): Promise<Database>
  /** Calls back later. Returns the way to stop that. */
  after(ms: number, act: () => void): () => void
  /** the browser has taken the database away */
  onLost: () => void
  /** kept as it is now, for whoever looks */
  condition: { disk: StorageHealth }
}

/** A database with a limit for every wait, opened at the first use and again when its handle is dead. */
export function createPatientStorage<Database extends { close(): void }>(world: Use<Database>) {
  let opening: Promise<Database> | null = null
  let handle: Database | null = null
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
        // What did not open need not be closed.
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
    /** For good. */
    close(): void {
      isClosed = true
      release()
    },
    /** @throws whatever went wrong, within four seconds */
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
