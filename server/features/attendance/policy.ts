import type { SessionUser } from '#server/http/mount.ts'

/** Whoever teaches a course sees its participants and records who was present. */
export const teaches = (user: Pick<SessionUser, 'email'>, course: { instructorEmails: string[] }): boolean =>
  course.instructorEmails.includes(user.email)

/**
 * Who instructs nothing gets an empty file, the interface's one exception;
 * who teaches others is refused. See docs/decisions/0027.
 */
export const participantListAccess = (
  user: Pick<SessionUser, 'email' | 'isInstructor'>,
  course: { instructorEmails: string[] },
): 'full' | 'empty' | 'forbidden' => {
  if (teaches(user, course)) return 'full'
  return user.isInstructor ? 'forbidden' : 'empty'
}
