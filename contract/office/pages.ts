import { PAGE_PATHS } from '../endpoints/public-pages.ts'

/**
 * Paths of the office UI, which is for people with at least one right. The list is in a module of its own so that
 * visitors do not download it.
 */
export const OFFICE_PATHS: readonly string[] = [
  '/office',
  '/office/season',
  '/office/courses/:id',
  '/office/basics',
  '/office/people',
  '/office/people/:id',
  '/office/bookings',
  '/office/duplicates',
  '/office/money',
  '/office/money/batches/:id',
  '/office/money/courses/:id',
  '/office/messages',
  '/office/report',
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

export const ALL_PAGE_PATHS: readonly string[] = [...PAGE_PATHS, ...OFFICE_PATHS]
