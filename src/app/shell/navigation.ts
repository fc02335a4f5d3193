import type { TFunction } from 'i18next'
import { PAGES, type PagePath } from '#contract/public-pages.ts'

/** Menu entry of a page; the office has its own navigation. */
export type MenuPage = PagePath | '/office'
export type MenuGroup = { key: string; pages: readonly MenuPage[] }

/** Label of a page in a menu: its title, unless the menu has a better text. */
export function menuName(t: TFunction<'shell'>, page: MenuPage): string {
  const name = page === '/office' ? 'office' : PAGES[page]
  return t([`menu.${name}`, `title.${name}`])
}

/** Main menu as specified: groups, and single entries beside them. */
export const mainMenu: MenuGroup[] = [
  { key: 'offers', pages: ['/courses', '/courseprogram'] },
  { key: 'info', pages: ['/info', '/teilnahmebedingung', '/faq', '/flyers'] },
  { key: 'team', pages: ['/teamsport', '/instructor', '/contact'] },
]

export const topLinks: MenuPage[] = ['/inprint', '/privacy', '/faq', '/contact']

/** True for pages of the bottom navigation: the app bar shows the brand there, elsewhere the back button. */
export const isBottomBarPage = (address: string): boolean =>
  ['/home', '/courses', '/courses/booked', '/courses/instructor', '/messages'].includes(address)
