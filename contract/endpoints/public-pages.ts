/**
 * Pages of the app that search engines may list, as path → route name. The name also selects the title and description.
 */
export const PUBLIC_PAGES = {
  '/': 'home',
  '/courses': 'course-list',
  '/courseprogram': 'course-program',
  '/flyers': 'flyers',
  '/teamsport': 'team',
  '/instructor': 'instructor',
  '/photo-album': 'albums',
  '/info': 'info',
  '/faq': 'faq',
  '/teilnahmebedingung': 'conditions',
  '/contact': 'contact',
  '/inprint': 'inprint',
  '/privacy': 'privacy',
  '/accessibility': 'accessibility',
  '/processing-record': 'processing-record',
  '/superiors': 'superiors',
} as const

/** Public pages that are excluded from search engines because they show the names of instructors. */
export const UNLISTED_PAGES: readonly string[] = ['/instructor']

/** All other pages by path; a path segment that starts with a colon matches any value. */
const OTHER_PAGES = {
  '/home': 'home',
  '/courses/booked': 'booked-courses',
  '/costs': 'costs',
  '/courses/instructor': 'instructor-courses',
  '/course-details/:id': 'course-details',
  '/course-participation/:id': 'course-participation',
  '/register1': 'register1',
  '/register2': 'register2',
  '/register3': 'register3',
  '/activate/:token': 'activate',
  '/undo/:token': 'undo',
  '/substitute/:token': 'substitute',
  '/edit': 'edit',
  '/login': 'login',
  '/password-change': 'password-change',
  '/sessions': 'sessions',
  '/reminders': 'reminders',
  '/messages': 'messages',
  '/photo-album/:id': 'photos',
  '/certificates': 'certificates',
  '/booking-order/:id': 'booking-order',
  '/offline': 'offline',
} as const

export const PAGES = { ...PUBLIC_PAGES, ...OTHER_PAGES }
export type PagePath = keyof typeof PAGES

/** All paths of the app. The server responds with 404 to all others. */
export const PAGE_PATHS: readonly string[] = Object.keys(PAGES)

export const isPageAt = (path: string, address: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i').test(address)
