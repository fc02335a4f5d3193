/** Keys under which the app stores the user's own data. All of them are deleted at logout. */
export const PERSONAL_STORAGE_KEYS = [
  'course-states',
  'booked-courses',
  'cancelled-courses',
  'messages',
  'gallery-own',
  'follows',
  'lesson-places',
  'costs',
] as const
