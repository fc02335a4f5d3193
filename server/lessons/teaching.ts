/** Who teaches a course: its instructors, and for single lessons a substitute instead of them. Addresses. */
export type TaughtCourse = { instructorEmails: readonly string[]; substituteEmails: readonly string[] }
/** @param substitute address of who teaches the lesson instead of the course's instructors; null: they do */
export type TaughtLesson = { substitute: string | null }

export const isRegularInstructor = (
  { instructorEmails }: Pick<TaughtCourse, 'instructorEmails'>,
  email: string,
): boolean => instructorEmails.includes(email)

/** Instructors read all lessons of their course, a substitute the own ones. */
export const teachesCourse = (course: TaughtCourse, email: string): boolean =>
  isRegularInstructor(course, email) || course.substituteEmails.includes(email)

/** Who records attendance of a lesson: an instructor who is replaced does not. */
export const teachesLesson = (
  course: Pick<TaughtCourse, 'instructorEmails'>,
  { substitute }: TaughtLesson,
  email: string,
): boolean => (substitute === null ? isRegularInstructor(course, email) : substitute === email)
