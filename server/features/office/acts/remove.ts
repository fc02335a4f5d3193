import type { REMOVABLE } from '#contract/acts/programme.ts'
import type { ActHandler, Desk } from '../desk-service.ts'
import { removeAlbum, removeContent, removePhoto } from './remove-content.ts'
import { removeCourse, removeLesson, removeRoom, removeSeason } from './remove-programme.ts'

type Remove = (desk: Desk, id: number) => Promise<void>

/** How each kind of thing goes: it is locked, and nothing hangs on it. */
const removers: Record<keyof typeof REMOVABLE, Remove> = {
  course: removeCourse,
  lesson: removeLesson,
  season: removeSeason,
  room: removeRoom,
  content: removeContent,
  album: removeAlbum,
  photo: removePhoto,
}

export const remove: ActHandler<'remove'> = async (desk, { what, id }) => {
  desk.note({ objects: { what, id } })
  await removers[what](desk, id)
}
