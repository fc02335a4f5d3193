import { create } from 'zustand'

/** A place on the trail: `key` names its text `shell:title.<key>`; `name` stands instead, where the page has one of its own. */
export type Crumb = { key: string; route: string; name?: string }

const START: Crumb = { key: 'home', route: '/home' }

/** The trail of pages; adding a route that is already in it cuts the trail back to that route. */
export const extendTrail = (trail: Crumb[], crumb: Crumb): Crumb[] => {
  const present = trail.findIndex(({ route }) => route === crumb.route)
  return present === -1 ? [...trail, crumb] : trail.slice(0, present + 1)
}

type BreadcrumbState = {
  trail: Crumb[]
  add: (crumb: Crumb) => void
  /** says what a page shows (a course, an album): its crumb and the page's title read so */
  name: (route: string, name: string) => void
}

export const useBreadcrumb = create<BreadcrumbState>(set => ({
  trail: [START],
  add: crumb => set(({ trail }) => ({ trail: extendTrail(trail, crumb) })),
  name: (route, name) =>
    set(({ trail }) => ({ trail: trail.map(crumb => (crumb.route === route ? { ...crumb, name } : crumb)) })),
}))
