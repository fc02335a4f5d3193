import type { SessionUser } from '#server/http/mount.ts'
import { type TaughtCourse, teachesCourse } from '#server/lessons/teaching.ts'

/**
 * Callers who instruct no course get an empty file, the only such case of the API; instructors of other courses are
 * rejected. See docs/decisions/0027.
 */
export const participantListAccess = (
  user: Pick<SessionUser, 'email' | 'isInstructor'>,
  course: TaughtCourse,
): 'full' | 'empty' | 'forbidden' => {
  if (teachesCourse(course, user.email)) return 'full'
  return user.isInstructor ? 'forbidden' : 'empty'
}
