import { useEffect, useState } from 'react'
import type { Site } from '#contract/sites.ts'
import { pageLoaded } from '#lib/lazy-load.ts'

let loading: Promise<Site[]> | null = null

/** Drawings of all sites. Fetched once, after the first view; the service worker caches the file. */
const loadSites = (): Promise<Site[]> => {
  loading ??= pageLoaded()
    // Imported on demand, because the first view needs no HTTP client.
    .then(() => import('#lib/load-json.ts').then(({ loadJson }) => loadJson<Site[]>('/sites.json')))
    .catch(() => {
      // Offline and not cached yet: the next opened course tries again.
      loading = null
      return []
    })
  return loading
}

const holds = (site: Site, venue: string) => site.places.some(({ venues }) => venues.includes(venue))

/** Drawing of the site that contains a venue; null while loading and for venues without a drawing. */
export function useSite(venue: string): Site | null {
  const [sites, setSites] = useState<readonly Site[]>([])
  useEffect(() => {
    loadSites().then(setSites)
  }, [])
  return sites.find(site => holds(site, venue)) ?? null
}
