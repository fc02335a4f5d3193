import { PICTURE_WIDTHS } from '#contract/endpoints/content.ts'
import type { Configuration } from '#contract/endpoints/system.ts'
import { EXTERNAL_SURCHARGE } from '#contract/values.ts'
import { api } from '#lib/api.ts'
import { portalTimeZone, setPortalTimeZone } from '#lib/format.ts'
import { createResource } from '#lib/resource.ts'

type Config = Pick<Configuration, 'photoURL' | 'thumbnailURL' | 'contentURL' | 'timeZone' | 'externalSurcharge'>

const USUAL: Config = {
  photoURL: '/photos/',
  thumbnailURL: '/thumbnails/',
  contentURL: '/content/',
  timeZone: portalTimeZone(),
  externalSurcharge: EXTERNAL_SURCHARGE,
}

/**
 * Portal configuration: base URLs of pictures and documents, and the surcharge for external participants. Has defaults
 * until it is loaded.
 */
export const usePortalConfig = createResource<Config>({
  of: 'everyone',
  key: 'config',
  empty: USUAL,
  fetch: async () => {
    const { photoURL, thumbnailURL, contentURL, timeZone, externalSurcharge } = await api.getConfig()
    setPortalTimeZone(timeZone)
    return { photoURL, thumbnailURL, contentURL, timeZone, externalSurcharge }
  },
  // The time zone is stored separately (see format.ts).
  complete: ({ photoURL, thumbnailURL, contentURL, externalSurcharge }) => ({
    ...USUAL,
    photoURL,
    thumbnailURL,
    contentURL,
    externalSurcharge: externalSurcharge ?? USUAL.externalSurcharge,
  }),
  isUsable: ({ contentURL }) => typeof contentURL === 'string',
})

const addressOf = (folder: 'photoURL' | 'thumbnailURL' | 'contentURL') => (fileName: string) =>
  usePortalConfig.getState().data[folder] + encodeURIComponent(fileName)

export const contentUrl = addressOf('contentURL')
export const photoUrl = addressOf('photoURL')
export const thumbnailUrl = addressOf('thumbnailURL')

const IS_BITMAP = /\.(?:avif|jpe?g|png|webp)$/i
/** Attributes of an `<img>` for a content picture. SVGs scale; other formats are available in several widths. */
export function contentPicture(fileName: string): { src: string; srcSet?: string } {
  const src = contentUrl(fileName)
  if (!IS_BITMAP.test(fileName)) return { src }
  return { src, srcSet: PICTURE_WIDTHS.map(width => `${src}?w=${width} ${width}w`).join(', ') }
}
