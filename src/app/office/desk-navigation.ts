import type { Right } from '#contract/rights.ts'
import { hasAnyRight } from '#features/office/model.ts'
import { DESK_SECTIONS } from './desk-sections.ts'
import { type DeskScreen, deskScreens } from './screens.tsx'

/** An office section with its pages. A link to the section opens the first page. */
export type DeskSection = (typeof DESK_SECTIONS)[number] & { path: string; pages: readonly DeskScreen[] }

export const accessibleScreensOf = (rights: readonly Right[]): DeskScreen[] =>
  deskScreens.filter(screen => screen.rights.length === 0 || hasAnyRight(rights, screen.rights))

/** The office sections in which the user may open at least one screen. */
export function accessibleSectionsOf(rights: readonly Right[]): DeskSection[] {
  const screens = accessibleScreensOf(rights)
  return DESK_SECTIONS.flatMap(place => {
    const pages = screens.filter(screen => screen.place === place.key && screen.nav)
    return pages[0] ? [{ ...place, path: pages[0].path, pages }] : []
  })
}

/**
 * Finds the screen for a URL, and the path segment after it as the screen's parameter. Does not use `isPageAt`, which
 * would add office code to the entry chunk.
 */
export function findDeskScreen(screens: readonly DeskScreen[], address: string) {
  const given = address.replace(/\/$/, '').split('/')
  const present = screens.find(({ path }) => {
    const parts = path.split('/')
    return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index])
  })
  return present && { ...present, last: given.at(-1) ?? '' }
}
