import { create } from 'zustand'
import {
  dropFiles,
  type FileCache,
  hasFileCaches,
  isDataDear,
  keepFile,
  keepFlyers,
  listAddresses,
} from '#lib/kept-files.ts'

type OfflineState = {
  /** absolute addresses of the documents marked to be kept; null before they are known */
  kept: ReadonlySet<string> | null
  /** those that are here without a mark, for as long as the department publishes them */
  flyers: ReadonlySet<string>
  /** those that were opened, for a time */
  opened: ReadonlySet<string>
  load: () => Promise<void>
  /** keeps a document, or no longer. @throws TypeError when it cannot be fetched */
  toggle: (url: string) => Promise<void>
  /** has these documents here, and no other flyers; does nothing where data is dear */
  keepFlyers: (urls: readonly string[]) => Promise<void>
}

/** All of the demo's flyers take a tenth of it. */
const FLYER_ROOM = 5_000_000

/** Which documents the reader wants to have without a network. */
export const useOffline = create<OfflineState>((set, get) => {
  // A browser that keeps no files has none.
  const addresses = async (name: FileCache) => new Set(await listAddresses(name).catch(() => []))
  const load = async () => {
    const [kept, flyers, opened] = await Promise.all(
      (['documents-kept', 'documents-flyers', 'documents'] as const).map(addresses),
    )
    set({ kept: kept ?? new Set(), flyers: flyers ?? new Set(), opened: opened ?? new Set() })
  }
  /** one after the other: the language may change while they come */
  let last = Promise.resolve()
  return {
    kept: null,
    flyers: new Set(),
    opened: new Set(),
    load,
    toggle: async url => {
      const { href } = new URL(url, window.location.href)
      if (get().kept?.has(href)) await dropFiles('documents-kept', address => address === href)
      else {
        await keepFile(href)
        // The browser may refuse; the document is kept all the same, until space runs short.
        await navigator.storage?.persist?.().catch(() => false)
      }
      await load()
    },
    keepFlyers: urls => {
      last = last.then(async () => {
        if (!hasFileCaches() || isDataDear()) return
        // Without an answer, or without room on the device, the others come at the next start.
        await keepFlyers(urls, FLYER_ROOM).catch(() => undefined)
        await load()
      })
      return last
    },
  }
})
