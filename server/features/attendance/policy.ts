import type { SessionUser } from '#server/http/mount.ts'

/** Whoever teaches a course sees its participants and records who was present. */
export const teaches = (user: Pick<SessionUser, 'email'>, course: { instructorEmails: string[] }): boolean =>
  course.instructorEmails.includes(user.email)
