import type { TFunction } from 'i18next'
import { PAGES, type PagePath } from '#contract/endpoints/public-pages.ts'

/** A page in a menu. The office has its own navigation. */
export type MenuPage = PagePath | '/office'
export type MenuGroup = { key: string; pages: readonly MenuPage[] }

/** Label of a page in a menu: the page's title, unless the menu has a better text. */
export function menuLabelOf(t: TFunction<'shell'>, page: MenuPage): string {
  const name = page === '/office' ? 'office' : PAGES[page]
  return t([`menu.${name}`, `title.${name}`])
}

/** Groups of pages in the main menu, as defined in the specification. */
export const mainMenu: MenuGroup[] = [
  { key: 'offers', pages: ['/courses', '/courseprogram'] },
  { key: 'info', pages: ['/info', '/teilnahmebedingung', '/faq', '/flyers'] },
  { key: 'team', pages: ['/teamsport', '/instructor', '/contact'] },
]

export const topLinks: MenuPage[] = ['/inprint', '/privacy', '/faq', '/contact']
export const footerLinks: MenuPage[] = [...topLinks, '/accessibility']

/**
 * Whether a page is in the bottom navigation. On these pages, the app bar shows the brand instead of the back button.
 */
export const isBottomBarPage = (address: string): boolean =>
  ['/home', '/courses', '/courses/booked', '/courses/instructor', '/messages'].includes(address)
