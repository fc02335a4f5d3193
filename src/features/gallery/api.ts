import * as contract from '#contract/gallery.ts'
import { call } from '#lib/api-client.ts'

export const listAlbums = () => call(contract.listAlbums, {})
export const listParticipatedAlbums = () => call(contract.listParticipatedAlbums, {})
export const listPhotos = (albumId: number) => call(contract.listPhotos, { params: { albumId } })
