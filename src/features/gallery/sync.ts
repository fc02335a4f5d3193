import { useSession } from '#features/session/store.ts'
import { currentUserAlbums, loadPhotos } from './resource.ts'

/** Maximum number of albums whose photo lists are prefetched for offline use. */
const AHEAD = 30

/** Prefetches the albums of the current user, now and after each login and logout. */
export function startAlbumPrefetch(): void {
  const load = async () => {
    const { phase, session } = useSession.getState()
    if (phase === 'checking') return
    const albums = currentUserAlbums()
    await albums.load()
    for (const { id } of albums.getState().data.albums.slice(0, AHEAD)) {
      if (useSession.getState().session?.id !== session?.id) return
      // The remaining albums are fetched when they are opened.
      if (!albums.getState().data.photos[id]) await loadPhotos(id)
    }
  }
  // When offline, this is retried at the next page load.
  const tryToLoad = () => load().catch(() => undefined)
  useSession.subscribe(({ session, phase }, before) => {
    if (session?.webUserId !== before.session?.webUserId || phase !== before.phase) tryToLoad()
  })
  tryToLoad()
}
