import { useEffect } from 'react'
import { create } from 'zustand'

/** Breadcrumb entry. Its text is `shell:title.<key>` unless the page at this route has set a title of its own. */
export type BreadcrumbEntry = { key: string; route: string }

const START: BreadcrumbEntry = { key: 'home', route: '/home' }

/** Appends a route to the breadcrumb trail. If the trail already includes the route, it is truncated to it. */
export const extendBreadcrumb = (trail: BreadcrumbEntry[], crumb: BreadcrumbEntry): BreadcrumbEntry[] => {
  const present = trail.findIndex(({ route }) => route === crumb.route)
  return present === -1 ? [...trail, crumb] : trail.slice(0, present + 1)
}

type PageName = { title: string; description: string }

type BreadcrumbState = {
  trail: BreadcrumbEntry[]
  /** page titles by route, which override the default titles */
  names: Record<string, PageName>
  add: (crumb: BreadcrumbEntry) => void
}

export const useBreadcrumb = create<BreadcrumbState>(set => ({
  trail: [START],
  names: {},
  add: crumb => set(({ trail }) => ({ trail: extendBreadcrumb(trail, crumb) })),
}))

/**
 * Sets the document title and description of a page.
 * @param title null while loading
 * @param description "" for the route's default
 */
export function usePageTitle(title: string | null, description: string, route: string): void {
  useEffect(() => {
    if (title === null) return
    useBreadcrumb.setState(({ names }) => ({ names: { ...names, [route]: { title, description } } }))
  }, [title, description, route])
}
