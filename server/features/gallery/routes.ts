import type { Hono } from 'hono'
import * as contract from '#contract/endpoints/gallery.ts'
import { createFileCache, mountStoredFiles } from '#server/features/files/service.ts'
import { findUserBySessionHashPrefix } from '#server/features/session/repository.ts'
import { jsonResponseWithEtag } from '#server/platform/http/encoded-json.ts'
import type { Api, SessionUser } from '#server/platform/http/mount.ts'
import { forbidden, notFound, sessionInvalid } from '#server/platform/http/problems.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import {
  findAlbumAccess,
  findPhoto,
  findPhotoNameSigner,
  listAlbums,
  listAlbumsOfParticipant,
  listPhotos,
} from './repository.ts'
import {
  isPhotoNameSigned,
  type PhotoPermit,
  parsePhotoName,
  SESSION_HASH_PREFIX_BYTES,
  signPhotoName,
} from './rules.ts'

export function mountGallery(api: Api, { db }: ServerContext): void {
  api.mount(contract.listAlbums, async ({ request }) => jsonResponseWithEtag(request, await listAlbums(db)))

  api.mount(contract.listParticipatedAlbums, async ({ session }) => {
    const signer = await findPhotoNameSigner(db)
    const albums = await listAlbumsOfParticipant(db, session.id)
    const sign = (albumId: number, name: string) =>
      signPhotoName({ sessionRef: sessionRefOf(session), albumId, name }, signer)
    return albums.map(album => ({ ...album, thumbnailFileName: sign(album.id, album.thumbnailFileName) }))
  })

  api.mount(contract.listPhotos, async ({ params, session }) => {
    const album = await findAlbumAccess(db, params.albumId, session)
    if (album === null) throw notFound()
    if (!album.isVisible) throw session === null ? sessionInvalid() : forbidden()
    const photos = await listPhotos(db, params.albumId)
    if (album.isPublic || session === null) return photos
    const signer = await findPhotoNameSigner(db)
    const permit = { sessionRef: sessionRefOf(session), albumId: params.albumId }
    return photos.map(photo => ({ ...photo, fileName: signPhotoName({ ...permit, name: photo.fileName }, signer) }))
  })
}

const sessionRefOf = ({ tokenHash }: SessionUser) => tokenHash.subarray(0, SESSION_HASH_PREFIX_BYTES)

/** Serves photos and thumbnails. Those of private albums require a signed name; otherwise the response is 404. */
export function mountPhotoFiles(app: Hono, { db }: ServerContext): void {
  const readFile = createFileCache(db)

  /** The permission is checked for each request, because the session or booking may have ended. */
  const isPermitted = async ({ sessionRef, albumId }: PhotoPermit): Promise<boolean> => {
    const user = await findUserBySessionHashPrefix(db, sessionRef)
    return user !== null && (await findAlbumAccess(db, albumId, user))?.isVisible === true
  }

  const mountKind = (folder: string, kind: 'photo' | 'thumbnail') =>
    mountStoredFiles(app, folder, async (requested, ifNoneMatchTags) => {
      const signed = parsePhotoName(requested)
      if (signed) {
        const { permit, mac } = signed
        if (!isPhotoNameSigned(mac, permit, await findPhotoNameSigner(db)) || !(await isPermitted(permit))) return null
      }
      const { name, albumId } = signed?.permit ?? { name: requested, albumId: null }
      const ref = await findPhoto(db, kind, name, albumId)
      const file = ref && (await readFile(ref, ifNoneMatchTags))
      return file && { file, isPublic: !signed }
    })
  mountKind('/photos', 'photo')
  mountKind('/thumbnails', 'thumbnail')
}
