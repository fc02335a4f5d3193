/** Instructors of a course: addresses of the regular ones, and of substitutes for single lessons. */
export type TaughtCourse = { instructorEmails: readonly string[]; substituteEmails: readonly string[] }
/** @param substitute address of the instructor who replaces the course's instructors in this lesson; null: none */
export type TaughtLesson = { substitute: string | null }

export const isRegularInstructor = (
  { instructorEmails }: Pick<TaughtCourse, 'instructorEmails'>,
  email: string,
): boolean => instructorEmails.includes(email)

/** Instructors see all lessons of their course, a substitute only the substituted ones. */
export const teachesCourse = (course: TaughtCourse, email: string): boolean =>
  isRegularInstructor(course, email) || course.substituteEmails.includes(email)

/** Who may record attendance of a lesson: not an instructor who is replaced in it. */
export const teachesLesson = (
  course: Pick<TaughtCourse, 'instructorEmails'>,
  { substitute }: TaughtLesson,
  email: string,
): boolean => (substitute === null ? isRegularInstructor(course, email) : substitute === email)
