/** The pages of the app that anybody may find: address and name of the route, which also names title and description. */
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
} as const

/** Open to everybody, but not for search engines: it says who the instructors are. */
export const UNLISTED_PAGES: readonly string[] = ['/instructor']

/** Every page of the app; parts that begin with a colon stand for any one part. The server answers 404 for any other. */
export const PAGE_PATHS: readonly string[] = [
  ...Object.keys(PUBLIC_PAGES),
  '/home',
  '/courses/booked',
  '/courses/instructor',
  '/course-details/:id',
  '/course-participation/:id',
  '/register1',
  '/register2',
  '/register3',
  '/activate/:token',
  '/undo/:token',
  '/edit',
  '/login',
  '/password-change',
  '/sessions',
  '/reminders',
  '/messages',
  '/photo-album/:id',
  '/offline',
]

export const isPageAt = (path: string, address: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i').test(address)
