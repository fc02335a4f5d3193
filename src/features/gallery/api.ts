import { listAlbums, listParticipatedAlbums, listPhotos } from '#contract/gallery.ts'
import { call } from '#lib/api-client.ts'

export const fetchAlbums = () => call(listAlbums, {})
export const fetchParticipatedAlbums = () => call(listParticipatedAlbums, {})
export const fetchPhotos = (albumId: number) => call(listPhotos, { params: { albumId } })
