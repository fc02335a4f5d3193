/**
 * Names of content types and pages. They have a module of their own because only the office UI needs them, so visitors
 * do not download them.
 */

export const CONTENT_ITEM_TYPES = [
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
/** Pages whose text the department can edit. */
export const EDITABLE_PAGES = ['faq', 'conditions', 'privacy', 'legal', 'contact', 'team'] as const
export type EditablePageName = (typeof EDITABLE_PAGES)[number]
