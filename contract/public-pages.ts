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
