import { create } from 'zustand'
import type { Album } from '#contract/endpoints/gallery.ts'
import { photoUrl, thumbnailUrl } from '#features/system/resource.ts'
import { cachePictures, isDataSaverOn, listCachedFileUrls, withoutSignature } from '#lib/cached-files.ts'
import { currentUserAlbums } from './resource.ts'

/** Maximum number of photos cached per album, chosen so that the storage holds several albums. */
const PHOTOS_KEPT = 80

/** Albums with all photos cached, at least as thumbnails; null while loading. */
export const useCachedAlbums = create<{ ids: ReadonlySet<number> | null }>(() => ({ ids: null }))

/** Caches the photos of an opened album; on metered connections, only the thumbnails. */
export async function cachePhotos(albumId: number): Promise<void> {
  const photos = currentUserAlbums().getState().data.photos[albumId] ?? []
  const names = photos.slice(0, PHOTOS_KEPT).map(({ fileName }) => fileName)
  await cachePictures([...names.map(thumbnailUrl), ...(isDataSaverOn() ? [] : names.map(photoUrl))])
}

export async function refreshCachedAlbums(): Promise<void> {
  const caches = await Promise.all((['pictures', 'pictures-own'] as const).map(listCachedFileUrls))
  const kept = new Set(caches.flat())
  const { albums, photos } = currentUserAlbums().getState().data
  const isKept = ({ id }: Album) => {
    const names = (photos[id] ?? []).map(({ fileName }) => fileName)
    return names.length > 0 && names.every(name => kept.has(withoutSignature(thumbnailUrl(name))))
  }
  useCachedAlbums.setState({ ids: new Set(albums.filter(isKept).map(({ id }) => id)) })
}
