import { useEffect, useState } from 'react'
import type { Site } from '#contract/endpoints/sites.ts'
import { waitForPageLoad } from '#lib/lazy-load.ts'

let loading: Promise<Site[]> | null = null

/** Loads the plans of all sites. Fetched once, after the initial page; the service worker caches the file. */
const loadSites = (): Promise<Site[]> => {
  loading ??= waitForPageLoad()
    // Imported on demand, because the initial page needs no HTTP client.
    .then(() => import('#lib/load-json.ts').then(({ loadJson }) => loadJson<Site[]>('/sites.json')))
    .catch(() => {
      // Offline and not cached yet: retried when the next course is opened.
      loading = null
      return []
    })
  return loading
}

const holds = (site: Site, venue: string) => site.places.some(({ venues }) => venues.includes(venue))

/** Plan of the site that contains a venue; null while loading, and for venues that are on no plan. */
export function useSitePlan(venue: string): Site | null {
  const [sites, setSites] = useState<readonly Site[]>([])
  useEffect(() => {
    loadSites().then(setSites)
  }, [])
  return sites.find(site => holds(site, venue)) ?? null
}
