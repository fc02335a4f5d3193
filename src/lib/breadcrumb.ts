import { create } from 'zustand'

export type Crumb = { label: string; route: string }

const START: Crumb = { label: '', route: '/home' }

/** The trail of pages; adding a route that is already in it cuts the trail back to that route. */
export const extendTrail = (trail: Crumb[], crumb: Crumb): Crumb[] => {
  const present = trail.findIndex(({ route }) => route === crumb.route)
  return present === -1 ? [...trail, crumb] : [...trail.slice(0, present), crumb]
}

export const useBreadcrumb = create<{ trail: Crumb[]; add: (crumb: Crumb) => void }>(set => ({
  trail: [START],
  add: crumb => set(({ trail }) => ({ trail: extendTrail(trail, crumb) })),
}))
