import type { Hono } from 'hono'
import { listAlbums, listParticipatedAlbums, listPhotos } from '#contract/gallery.ts'
import type { ServerContext } from '#server/context.ts'
import { createFileCache } from '#server/db/file-cache.ts'
import { jsonWithEtag } from '#server/http/encoded-json.ts'
import type { Api } from '#server/http/mount.ts'
import { forbidden, notFound, sessionInvalid } from '#server/http/problems.ts'
import { mountStoredFiles } from '#server/http/stored-files.ts'
import { maySee } from './policy.ts'
import {
  findAlbumAccess,
  findNameSigner,
  findPhotoAccess,
  listAlbumsOfParticipant,
  listPhotosOf,
  listPublicAlbums,
} from './repository.ts'
import { isKeyGood, readName, signName } from './rules.ts'

export function mountGallery(api: Api, { db }: ServerContext): void {
  api.mount(listAlbums, async ({ request }) => jsonWithEtag(request, await listPublicAlbums(db)))

  api.mount(listParticipatedAlbums, async ({ session }) => {
    const signer = await findNameSigner(db)
    const albums = await listAlbumsOfParticipant(db, session.id)
    return albums.map(album => ({ ...album, thumbnailFileName: signName(album.thumbnailFileName, signer) }))
  })

  api.mount(listPhotos, async ({ params, session }) => {
    const album = await findAlbumAccess(db, params.albumId)
    if (album === null) throw notFound()
    if (!maySee(session, album)) throw session === null ? sessionInvalid() : forbidden()
    const photos = await listPhotosOf(db, params.albumId)
    if (album.isPublic) return photos
    const signer = await findNameSigner(db)
    return photos.map(photo => ({ ...photo, fileName: signName(photo.fileName, signer) }))
  })
}

/** Photos and their small pictures. Those of private albums only under a signed name; any other is as if not there. */
export function mountPhotoFiles(app: Hono, { db }: ServerContext): void {
  const findFile = createFileCache(db)
  const mountKind = (folder: string, kind: 'photo' | 'thumbnail') =>
    mountStoredFiles(app, folder, async (requested, knownHashes) => {
      const { name, key } = readName(requested)
      const access = await findPhotoAccess(db, kind, name)
      if (access === null) return null
      if (!access.isPublic && !(key !== null && isKeyGood(key, name, await findNameSigner(db)))) return null
      const file = await findFile(kind, name, knownHashes)
      return file && { file, isPublic: access.isPublic }
    })
  mountKind('/photos', 'photo')
  mountKind('/thumbnails', 'thumbnail')
}
