import type { SessionUser } from '#server/http/mount.ts'

export type AlbumAccess = { isPublic: boolean; instructorEmails: string[]; participantIds: number[] }

/** Public albums are everybody's; a course's album belongs to those who have a place in the course, and who teach it. */
export const maySee = (user: Pick<SessionUser, 'id' | 'email'> | null, album: AlbumAccess): boolean =>
  album.isPublic ||
  (user !== null && (album.participantIds.includes(user.id) || album.instructorEmails.includes(user.email)))
