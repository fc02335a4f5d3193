import { create } from 'zustand'
import { dropFiles, keepFile, listAddresses } from '#lib/kept-files.ts'

type OfflineState = {
  /** absolute addresses of the documents marked to be kept; null before they are known */
  kept: ReadonlySet<string> | null
  load: () => Promise<void>
  /** keeps a document, or no longer. @throws TypeError when it cannot be fetched */
  toggle: (url: string) => Promise<void>
}

/** Which documents the reader wants to have without a network. */
export const useOffline = create<OfflineState>((set, get) => {
  const load = async () => set({ kept: new Set(await listAddresses('documents-kept').catch(() => [])) })
  return {
    kept: null,
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
  }
})
