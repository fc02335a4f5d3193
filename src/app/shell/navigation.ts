/** One entry of a menu: its text is `shell:nav.<key>`. */
export type NavItem = { key: string; route: string }
export type NavGroup = { key: string; items: NavItem[] }

/** The specification's main menu; single entries stand beside the groups. */
export const mainMenu: NavGroup[] = [
  {
    key: 'offers',
    items: [
      { key: 'booking', route: '/courses' },
      { key: 'programme', route: '/courseprogram' },
    ],
  },
  {
    key: 'info',
    items: [
      { key: 'infoAndFaq', route: '/info' },
      { key: 'conditions', route: '/teilnahmebedingung' },
      { key: 'faq', route: '/faq' },
      { key: 'flyers', route: '/flyers' },
    ],
  },
  {
    key: 'team',
    items: [
      { key: 'teamsport', route: '/teamsport' },
      { key: 'instructors', route: '/instructor' },
      { key: 'contact', route: '/contact' },
    ],
  },
]

export const instructorArea: NavItem = { key: 'instructorArea', route: '/courses/instructor' }
export const photoGallery: NavItem = { key: 'photoGallery', route: '/photo-album' }

export const topLinks: NavItem[] = [
  { key: 'inprint', route: '/inprint' },
  { key: 'privacy', route: '/privacy' },
  { key: 'faq', route: '/faq' },
  { key: 'contact', route: '/contact' },
]

/** The tabs' own pages: the bar shows the brand there, elsewhere the way back. */
export const isPlace = (address: string): boolean =>
  ['/home', '/courses', '/courses/booked', '/courses/instructor', '/messages'].includes(address)
