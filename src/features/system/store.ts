import { create } from 'zustand'
import type { Configuration } from '#contract/system.ts'
import { keptValue } from '#lib/kept-value.ts'
import { fetchConfig } from './api.ts'

type Addresses = Pick<Configuration, 'photoURL' | 'thumbnailURL' | 'contentURL'>

const cache = keptValue<Addresses>('config', ({ contentURL }) => typeof contentURL === 'string')

/** Where pictures and documents lie; the portal's usual addresses until it has said otherwise. */
export const useConfig = create<Addresses & { start: () => Promise<void> }>(set => ({
  photoURL: '/photos/',
  thumbnailURL: '/thumbnails/',
  contentURL: '/content/',
  start: async () => {
    const kept = await cache.read()
    if (kept) set(kept)
    const { photoURL, thumbnailURL, contentURL } = await fetchConfig()
    set({ photoURL, thumbnailURL, contentURL })
    await cache.write({ photoURL, thumbnailURL, contentURL })
  },
}))

/** The address of a content picture or document. */
export const contentUrl = (fileName: string): string => useConfig.getState().contentURL + encodeURIComponent(fileName)
/** The address of a photo in full size. */
export const photoUrl = (fileName: string): string => useConfig.getState().photoURL + encodeURIComponent(fileName)
/** The address of the small picture of a photo. */
export const thumbnailUrl = (fileName: string): string =>
  useConfig.getState().thumbnailURL + encodeURIComponent(fileName)
