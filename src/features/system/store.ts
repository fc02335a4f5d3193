import { create } from 'zustand'
import { PICTURE_WIDTHS } from '#contract/content.ts'
import type { Configuration } from '#contract/system.ts'
import { EXTERNAL_SURCHARGE } from '#contract/values.ts'
import { portalZone, setPortalZone } from '#lib/portal-time.ts'
import { storedValue } from '#lib/stored-value.ts'
import { getConfig } from './api.ts'

type Addresses = Pick<Configuration, 'photoURL' | 'thumbnailURL' | 'contentURL'>
/** The zone is kept where the clock is. */
type Answered = Addresses & Pick<Configuration, 'timeZone' | 'externalSurcharge'>

const cache = storedValue<Addresses>('config', ({ contentURL }) => typeof contentURL === 'string')

/** Where pictures and documents lie and which clock counts; a portal's usual values until it has said otherwise. */
export const useConfig = create<Answered & { start: () => Promise<void> }>(set => ({
  photoURL: '/photos/',
  thumbnailURL: '/thumbnails/',
  contentURL: '/content/',
  timeZone: portalZone(),
  externalSurcharge: EXTERNAL_SURCHARGE,
  start: async () => {
    const stored = await cache.read()
    if (stored) set(stored)
    const { photoURL, thumbnailURL, contentURL, timeZone, externalSurcharge } = await getConfig()
    setPortalZone(timeZone)
    set({ photoURL, thumbnailURL, contentURL, timeZone, externalSurcharge })
    await cache.write({ photoURL, thumbnailURL, contentURL })
  },
}))

/** The address of a content picture or document. */
export const contentUrl = (fileName: string): string => useConfig.getState().contentURL + encodeURIComponent(fileName)
const IS_BITMAP = /\.(?:avif|jpe?g|png|webp)$/i
/** A content picture for an `<img>`: a drawing fits every size, anything else comes in several widths. */
export function contentPicture(fileName: string): { src: string; srcSet?: string } {
  const src = contentUrl(fileName)
  if (!IS_BITMAP.test(fileName)) return { src }
  return { src, srcSet: PICTURE_WIDTHS.map(width => `${src}?w=${width} ${width}w`).join(', ') }
}
/** The address of a photo in full size. */
export const photoUrl = (fileName: string): string => useConfig.getState().photoURL + encodeURIComponent(fileName)
/** The address of the small picture of a photo. */
export const thumbnailUrl = (fileName: string): string =>
  useConfig.getState().thumbnailURL + encodeURIComponent(fileName)
