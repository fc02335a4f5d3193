import { listAlbums, listParticipatedAlbums, listPhotos } from '#contract/gallery.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountGallery(api: Api, _context: ServerContext): void {
  api.mount(listAlbums, notImplemented)
  api.mount(listParticipatedAlbums, notImplemented)
  api.mount(listPhotos, notImplemented)
}
