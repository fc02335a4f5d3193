import { PAGE_PATHS } from './public-pages.ts'

/** The screens of the desk: for whoever has a right there. Apart from the others: visitors' files hold no word of them. */
export const OFFICE_PATHS: readonly string[] = ['/office', '/office/rights']

/** All pages that the server knows. */
export const ALL_PATHS: readonly string[] = [...PAGE_PATHS, ...OFFICE_PATHS]
