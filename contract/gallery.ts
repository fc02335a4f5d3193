import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { dateTimeValue, id, idParam } from './values.ts'

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

export const listAlbums = endpoint('GET', '/api/photoalbum', {
  access: 'public',
  summary: 'The public albums',
  response: v.array(album),
})

export const listParticipatedAlbums = endpoint('GET', '/api/photoalbum/participated', {
  access: 'session',
  summary: 'The albums of courses in which the user took part',
  response: v.array(album),
})

export const listPhotos = endpoint('GET', '/api/photo/:albumId', {
  access: 'optional',
  summary: 'The photos of an album',
  params: v.object({ albumId: idParam }),
  response: v.array(photo),
})
