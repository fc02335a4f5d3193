import type { Album, Photo } from '#contract/gallery.ts'
import { storedValue } from '#lib/stored-value.ts'

export type StoredGallery = {
  /** whose albums these are; null for the public ones */
  userName: string | null
  albums: Album[]
  /** by album id, in the order of their sortOrder */
  photos: Record<number, Photo[]>
  /** ms since 1970 by the device */
  asOf: number
}

const keep = (key: string) =>
  storedValue<StoredGallery>(
    key,
    ({ albums, photos, asOf }) =>
      albums.every(({ id }) => Number.isInteger(id)) &&
      Object.values(photos).every(Array.isArray) &&
      Number.isFinite(asOf),
  )

export const publicCache = keep('gallery')
/** One person's albums; gone at logout. */
export const personCache = keep('gallery-own')
