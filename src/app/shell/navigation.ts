import type { TFunction } from 'i18next'
import { PAGES, type PagePath } from '#contract/public-pages.ts'

/** A page that a menu leads to; behind the desk's door stand screens of its own. */
export type MenuPage = PagePath | '/office'
export type MenuGroup = { key: string; pages: readonly MenuPage[] }

/** What a page is called in a menu: as above its own words, unless the menu has better ones. */
export function menuName(t: TFunction<'shell'>, page: MenuPage): string {
  const name = page === '/office' ? 'office' : PAGES[page]
  return t([`menu.${name}`, `title.${name}`])
}

/** The specification's main menu; single entries stand beside the groups. */
export const mainMenu: MenuGroup[] = [
  { key: 'offers', pages: ['/courses', '/courseprogram'] },
  { key: 'info', pages: ['/info', '/teilnahmebedingung', '/faq', '/flyers'] },
  { key: 'team', pages: ['/teamsport', '/instructor', '/contact'] },
]

export const topLinks: MenuPage[] = ['/inprint', '/privacy', '/faq', '/contact']

/** The tabs' own pages: the bar shows the brand there, elsewhere the way back. */
export const isPlace = (address: string): boolean =>
  ['/home', '/courses', '/courses/booked', '/courses/instructor', '/messages'].includes(address)
