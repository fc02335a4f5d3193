import type { Album, Photo } from '#contract/endpoints/gallery.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { allItemsHaveIds, createResource, type Resource, type StorageLocation } from '#lib/resource.ts'

type Gallery = {
  albums: readonly Album[]
  /** photos fetched so far, by album id and ordered by `sortOrder` */
  photos: Readonly<Record<number, readonly Photo[]>>
}

function galleryAt(place: StorageLocation, listOwn: () => Promise<Album[]>): Resource<Gallery> {
  const useGallery: Resource<Gallery> = createResource<Gallery>({
    ...place,
    empty: { albums: [], photos: {} },
    fetch: async () => ({ albums: await listOwn(), photos: useGallery.getState().data.photos }),
    isUsable: ({ albums, photos }) => allItemsHaveIds(albums) && Object.values(photos).every(Array.isArray),
  })
  return useGallery
}

const usePublicAlbums = galleryAt({ of: 'everyone', key: 'gallery' }, api.listAlbums)
const useOwnAlbums = galleryAt({ of: 'person', key: 'gallery-own' }, api.listParticipatedAlbums)

const albumsOf = (isLoggedIn: boolean) => (isLoggedIn ? useOwnAlbums : usePublicAlbums)

/** Albums: the public ones for visitors; for logged-in users, those of their own courses. */
export const useAlbums = () => albumsOf(useSession(state => state.session !== null))

export const currentUserAlbums = () => albumsOf(useSession.getState().session !== null)

/** Fetches the photos of an album. @throws ApiError, NoResponseError */
export async function loadPhotos(albumId: number): Promise<void> {
  const personId = () => useSession.getState().session?.webUserId
  const [albums, asked] = [currentUserAlbums(), personId()]
  const photos = (await api.listPhotos({ params: { albumId } })).toSorted((a, b) => a.sortOrder - b.sortOrder)
  if (personId() !== asked) return
  albums.change(data => ({ ...data, photos: { ...data.photos, [albumId]: photos } }))
}
