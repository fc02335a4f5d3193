import { PAGE_PATHS } from './public-pages.ts'

/** The screens of the desk: for whoever has a right there. Apart from the others: visitors' files hold no word of them. */
export const OFFICE_PATHS: readonly string[] = [
  '/office',
  '/office/season',
  '/office/courses/:id',
  '/office/basics',
  '/office/people',
  '/office/people/:id',
  '/office/messages',
  '/office/lists',
  '/office/hr-list',
  '/office/letters',
  '/office/record',
  '/office/content',
  '/office/import',
  '/office/connections',
  '/office/rights',
  '/office/passkey/:token',
]

export const ALL_PATHS: readonly string[] = [...PAGE_PATHS, ...OFFICE_PATHS]
