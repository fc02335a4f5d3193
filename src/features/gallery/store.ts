import { create } from 'zustand'
import type { Album, Photo } from '#contract/gallery.ts'
import { useSession } from '#features/session/store.ts'
import { photoUrl, thumbnailUrl } from '#features/system/store.ts'
import { serverNow } from '#lib/clock.ts'
import { dropOwnPictures, isDataDear, keepPictures, listAddresses, withoutPermit } from '#lib/kept-files.ts'
import { listAlbums, listParticipatedAlbums, listPhotos } from './api.ts'
import { personCache, publicCache, type StoredGallery } from './cache.ts'

/** Photo lists fetched ahead, so that albums open without a network. */
const AHEAD = 30
/** Of one album; the device has room for some albums of that size. */
const PHOTOS_KEPT = 80

type GalleryState = Omit<StoredGallery, 'asOf'> & {
  asOf: number | null
  /** `failed`: nothing stored and no answer; with anything to show it is `ready` */
  phase: 'loading' | 'ready' | 'failed'
  isStale: boolean
  /** follows the session: its start, its end and its check at the start of the app each load the albums */
  start: () => void
  /** the public albums for visitors, those of their own courses for everyone else */
  refresh: () => Promise<void>
  /** @throws ApiError, NoAnswerError */
  loadPhotos: (albumId: number) => Promise<void>
  /** has the photos of an album that is open stay on this device; where data is dear only the small ones */
  keepPhotos: (albumId: number) => Promise<void>
  /** albums whose photos are all on this device, at least small; null before that is known */
  keptIds: ReadonlySet<number> | null
  findKept: () => Promise<void>
}

const NOTHING = { albums: [] as Album[], photos: {} as Record<number, Photo[]>, asOf: null, isStale: false }
const userNameNow = () => useSession.getState().session?.userName ?? null
const cacheOf = (userName: string | null) => (userName === null ? publicCache : personCache)

export const useGallery = create<GalleryState>((set, get) => {
  /** Grows with every question: an answer that a later one has overtaken is dropped. */
  let requestId = 0

  function forgetPerson(): void {
    personCache.remove()
    dropOwnPictures().catch(() => undefined)
  }

  async function store(): Promise<void> {
    const { userName, albums, photos, asOf } = get()
    if (asOf !== null) await cacheOf(userName).write({ userName, albums, photos, asOf })
  }

  async function recall(asked: number): Promise<void> {
    const userName = userNameNow()
    const stored = await cacheOf(userName).read()
    if (stored?.userName === userName && asked === requestId && get().asOf === null) set({ ...stored, phase: 'ready' })
  }

  async function loadAhead(asked: number): Promise<void> {
    for (const { id } of get().albums.slice(0, AHEAD)) {
      if (asked !== requestId) return
      if (!get().photos[id]) await get().loadPhotos(id)
    }
  }

  return {
    ...NOTHING,
    keptIds: null,
    userName: null,
    phase: 'loading',

    start: () => {
      useSession.subscribe(({ phase, session }, before) => {
        if (phase === before.phase && session?.userName === before.session?.userName) return
        if (phase === 'none') forgetPerson()
        get().refresh()
      })
    },

    refresh: async () => {
      const asked = ++requestId
      const userName = userNameNow()
      if (userName !== get().userName) set({ ...NOTHING, userName, phase: 'loading' })
      if (get().phase === 'failed') set({ phase: 'loading' })
      const recalled = recall(asked)
      try {
        const albums = await (userName === null ? listAlbums() : listParticipatedAlbums())
        if (asked !== requestId) return
        set({ albums, asOf: serverNow(), isStale: false, phase: 'ready' })
        await store()
        // What was not fetched ahead is fetched when its album opens.
        await loadAhead(asked).catch(() => undefined)
      } catch {
        await recalled
        if (asked === requestId) set(({ asOf }) => ({ isStale: true, phase: asOf === null ? 'failed' : 'ready' }))
      }
    },

    loadPhotos: async albumId => {
      const { userName } = get()
      const photos = await listPhotos(albumId)
      if (userName !== get().userName) return
      const sorted = photos.toSorted((a, b) => a.sortOrder - b.sortOrder)
      set(state => ({ photos: { ...state.photos, [albumId]: sorted } }))
      await store()
    },

    keepPhotos: async albumId => {
      const names = (get().photos[albumId] ?? []).slice(0, PHOTOS_KEPT).map(({ fileName }) => fileName)
      await keepPictures([...names.map(thumbnailUrl), ...(isDataDear() ? [] : names.map(photoUrl))])
    },

    findKept: async () => {
      const caches = await Promise.all((['pictures', 'pictures-own'] as const).map(listAddresses))
      const kept = new Set(caches.flat())
      const isKept = ({ id }: Album) => {
        const photos = get().photos[id] ?? []
        return photos.length > 0 && photos.every(({ fileName }) => kept.has(withoutPermit(thumbnailUrl(fileName))))
      }
      set({
        keptIds: new Set(
          get()
            .albums.filter(isKept)
            .map(({ id }) => id),
        ),
      })
    },
  }
})
