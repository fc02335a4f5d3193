import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { dateTimeValue, id, idParam } from '../values.ts'

export const album = v.object({
  id,
  name: v.string(),
  description: v.string(),
  name2: v.string(),
  description2: v.string(),
  thumbnailFileName: v.string(),
  isIndividualCourse: v.boolean(),
})
export type Album = v.InferOutput<typeof album>

export const photo = v.object({ shootingdate: dateTimeValue, sortOrder: v.number(), fileName: v.string() })
export type Photo = v.InferOutput<typeof photo>

export const listAlbums = endpoint('public', 'GET', '/api/photoalbum', { response: v.array(album) })

export const listParticipatedAlbums = endpoint('session', 'GET', '/api/photoalbum/participated', {
  response: v.array(album),
})

export const listPhotos = endpoint('optional', 'GET', '/api/photo/:albumId', {
  params: v.object({ albumId: idParam }),
  response: v.array(photo),
})
