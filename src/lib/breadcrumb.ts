import { useEffect } from 'react'
import { create } from 'zustand'

/** A place on the trail; its text is `shell:title.<key>`, unless the page at the route has said what it shows. */
export type Crumb = { key: string; route: string }

const START: Crumb = { key: 'home', route: '/home' }

/** The trail of pages; adding a route that is already in it cuts the trail back to that route. */
export const extendTrail = (trail: Crumb[], crumb: Crumb): Crumb[] => {
  const present = trail.findIndex(({ route }) => route === crumb.route)
  return present === -1 ? [...trail, crumb] : trail.slice(0, present + 1)
}

type PageName = { title: string; description: string }

type BreadcrumbState = {
  trail: Crumb[]
  /** by route: what pages show that know better than their route's title */
  names: Record<string, PageName>
  add: (crumb: Crumb) => void
}

export const useBreadcrumb = create<BreadcrumbState>(set => ({
  trail: [START],
  names: {},
  add: crumb => set(({ trail }) => ({ trail: extendTrail(trail, crumb) })),
}))

/**
 * Gives a page the title and description of what it shows.
 * @param title null while unknown @param description "" for the route's own
 */
export function usePageTitle(title: string | null, description: string, route: string): void {
  useEffect(() => {
    if (title === null) return
    useBreadcrumb.setState(({ names }) => ({ names: { ...names, [route]: { title, description } } }))
  }, [title, description, route])
}
