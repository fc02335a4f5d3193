import type { Album, Photo } from '#contract/gallery.ts'
import { useSession } from '#features/session/store.ts'
import { type Resource, resource } from '#lib/resource.ts'
import { listAlbums, listParticipatedAlbums, listPhotos } from './api.ts'

type Gallery = {
  albums: readonly Album[]
  /** by album id, in the order of their sortOrder; those that were fetched */
  photos: Readonly<Record<number, readonly Photo[]>>
}

const empty: Gallery = { albums: [], photos: {} }
const isUsable = ({ albums, photos }: Gallery) =>
  albums.every(({ id }) => Number.isInteger(id)) && Object.values(photos).every(Array.isArray)

const usePublicAlbums: Resource<Gallery> = resource<Gallery>({
  of: 'everyone',
  key: 'gallery',
  empty,
  fetch: async () => ({ albums: await listAlbums(), photos: usePublicAlbums.getState().data.photos }),
  isUsable,
})

const useOwnAlbums: Resource<Gallery> = resource<Gallery>({
  of: 'person',
  key: 'gallery-own',
  empty,
  fetch: async () => ({ albums: await listParticipatedAlbums(), photos: useOwnAlbums.getState().data.photos }),
  isUsable,
})

const albumsOf = (isLoggedIn: boolean) => (isLoggedIn ? useOwnAlbums : usePublicAlbums)

/** The public albums for visitors, those of their own courses for everyone else. */
export const useAlbums = () => albumsOf(useSession(state => state.session !== null))

export const albumsNow = () => albumsOf(useSession.getState().session !== null)

/** Fetches the photos of an album. @throws ApiError, NoAnswerError */
export async function loadPhotos(albumId: number): Promise<void> {
  const personId = () => useSession.getState().session?.webUserId
  const [albums, asked] = [albumsNow(), personId()]
  const photos = (await listPhotos(albumId)).toSorted((a, b) => a.sortOrder - b.sortOrder)
  if (personId() !== asked) return
  albums.change(data => ({ ...data, photos: { ...data.photos, [albumId]: photos } }))
}
