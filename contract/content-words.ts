/** The words of the content by themselves: only the desk chooses among them, and visitors do not fetch them. */

export const CONTENT_TYPES = [
  'HomeCarrousel',
  'HomeTop',
  'HomeButtom',
  'Instructor',
  'CourseFlyer',
  'Flyer',
  'InstructorFlyer',
  'FAQ_English',
  'Conditions_English',
  'CourseFlyer_English',
  'Flyer_English',
  'Privacy_Policy',
  'InstructorFlyer_English',
] as const
/** Pages that the department may write itself. */
export const PAGES = ['faq', 'conditions', 'privacy', 'legal', 'contact', 'team'] as const
export type Page = (typeof PAGES)[number]
