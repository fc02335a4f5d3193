import { indexedDbStorage } from './storage.ts'

/** Grows when a stored shape changes: what an older app has stored is dropped and fetched again. */
const VERSION = 1

/**
 * A value kept on the device under a key of its own, so that a small change does not rewrite the large ones.
 * @param isUsable looks into what was read; false or an exception drops it
 */
export function storedValue<Value>(key: string, isUsable: (value: Value) => boolean) {
  const storage = indexedDbStorage<Value>()
  return {
    read: async (): Promise<Value | null> => {
      const stored = await storage.getItem(key)
      try {
        if (stored?.version === VERSION && isUsable(stored.state)) return stored.state
      } catch {
        // Damaged: as if nothing were stored.
      }
      return null
    },
    write: (value: Value) => storage.setItem(key, { state: value, version: VERSION }),
    remove: () => storage.removeItem(key),
  }
}
