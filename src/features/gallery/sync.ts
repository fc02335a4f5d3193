import { useSession } from '#features/session/store.ts'
import { albumsNow, loadPhotos } from './resource.ts'

/** Photo lists fetched ahead, so that albums open without a network. */
const AHEAD = 30

/** Has the albums of whoever is at the device on it, now and after each login and logout. */
export function startGallery(): void {
  const load = async () => {
    const { phase, session } = useSession.getState()
    if (phase === 'checking') return
    const albums = albumsNow()
    await albums.load()
    for (const { id } of albums.getState().data.albums.slice(0, AHEAD)) {
      if (useSession.getState().session?.id !== session?.id) return
      // What was not fetched ahead is fetched when its album opens.
      if (!albums.getState().data.photos[id]) await loadPhotos(id)
    }
  }
  // Without a network the next page tries again.
  const tryToLoad = () => load().catch(() => undefined)
  useSession.subscribe(({ session, phase }, before) => {
    if (session?.webUserId !== before.session?.webUserId || phase !== before.phase) tryToLoad()
  })
  tryToLoad()
}
