import type { SessionUser } from '#server/http/mount.ts'

export type AlbumAccess = { isPublic: boolean; instructorEmails: string[]; participantIds: number[] }

/** Public albums are visible to everyone; a course's album to its booked participants, instructors and substitutes. */
export const canSeeAlbum = (user: Pick<SessionUser, 'id' | 'email'> | null, album: AlbumAccess): boolean =>
  album.isPublic ||
  (user !== null && (album.participantIds.includes(user.id) || album.instructorEmails.includes(user.email)))
