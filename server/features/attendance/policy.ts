import type { SessionUser } from '#server/http/mount.ts'
import { type TaughtCourse, teachesCourse } from '#server/lessons/teaching.ts'

/**
 * Who instructs nothing gets an empty file, the interface's one exception;
 * who teaches others is refused. See docs/decisions/0027.
 */
export const participantListAccess = (
  user: Pick<SessionUser, 'email' | 'isInstructor'>,
  course: TaughtCourse,
): 'full' | 'empty' | 'forbidden' => {
  if (teachesCourse(course, user.email)) return 'full'
  return user.isInstructor ? 'forbidden' : 'empty'
}
