import type { Right } from '#contract/values.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { OFFICE_SECTIONS } from './office-sections.ts'
import { type OfficeScreen, officeScreens } from './screens.tsx'

/** An office section with its pages. A link to the section opens the first page. */
export type OfficeSection = (typeof OFFICE_SECTIONS)[number] & { path: string; pages: readonly OfficeScreen[] }

export const accessibleScreensOf = (rights: readonly Right[]): OfficeScreen[] =>
  officeScreens.filter(screen => screen.rights.length === 0 || hasAnyRight(rights, screen.rights))

/** The office sections in which the user may open at least one screen. */
export function accessibleSectionsOf(rights: readonly Right[]): OfficeSection[] {
  const screens = accessibleScreensOf(rights)
  return OFFICE_SECTIONS.flatMap(place => {
    const pages = screens.filter(screen => screen.place === place.key && screen.nav)
    return pages[0] ? [{ ...place, path: pages[0].path, pages }] : []
  })
}

/**
 * Finds the screen for a URL, and the path segment after it as the screen's parameter. Does not use `isPageAt`, which
 * would add office code to the entry chunk.
 */
export function findOfficeScreen(screens: readonly OfficeScreen[], address: string) {
  const given = address.replace(/\/$/, '').split('/')
  const present = screens.find(({ path }) => {
    const parts = path.split('/')
    return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index])
  })
  return present && { ...present, last: given.at(-1) ?? '' }
}
