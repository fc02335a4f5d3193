import { create } from 'zustand'
import {
  cacheFile,
  cacheFlyers,
  deleteCachedFiles,
  type FileCache,
  hasFileCaches,
  isDataSaverOn,
  listCachedFileUrls,
} from '#lib/cached-files.ts'

type OfflineState = {
  /** absolute URLs of documents that the user has saved; null while loading */
  kept: ReadonlySet<string> | null
  /** flyers, cached automatically while they are published */
  flyers: ReadonlySet<string>
  /** documents that were opened, cached temporarily */
  opened: ReadonlySet<string>
  load: () => Promise<void>
  /** saves a document for offline use or removes it. @throws TypeError if it cannot be fetched */
  toggle: (url: string) => Promise<void>
  /** caches these flyers and removes all others; does nothing on metered connections */
  keepFlyers: (urls: readonly string[]) => Promise<void>
}

/** Size limit in bytes for all flyers; those of the demo data take up a tenth of it. */
const FLYER_ROOM = 5_000_000

/** Documents that are available offline. */
export const useOfflineDocuments = create<OfflineState>((set, get) => {
  // Browsers without Cache Storage have no cached documents.
  const addresses = async (name: FileCache) => new Set(await listCachedFileUrls(name).catch(() => []))
  const load = async () => {
    const [kept, flyers, opened] = await Promise.all(
      (['documents-kept', 'documents-flyers', 'documents'] as const).map(addresses),
    )
    set({ kept: kept ?? new Set(), flyers: flyers ?? new Set(), opened: opened ?? new Set() })
  }
  /** serializes downloads, because the language may change during one */
  let last = Promise.resolve()
  return {
    kept: null,
    flyers: new Set(),
    opened: new Set(),
    load,
    toggle: async url => {
      const { href } = new URL(url, window.location.href)
      if (get().kept?.has(href)) await deleteCachedFiles('documents-kept', address => address === href)
      else {
        await cacheFile(href)
        // Not awaited, because Firefox asks the user and answers only then. If persistent storage is denied, the document
        // stays cached until storage runs low.
        void navigator.storage?.persist?.().catch(() => false)
      }
      await load()
    },
    keepFlyers: urls => {
      last = last.then(async () => {
        if (!hasFileCaches() || isDataSaverOn()) return
        // If there is no response or no disk space left, the rest is fetched at the next start.
        await cacheFlyers(urls, FLYER_ROOM).catch(() => undefined)
        await load()
      })
      return last
    },
  }
})
