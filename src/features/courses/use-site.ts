import { useEffect, useState } from 'react'
import type { Site } from '#contract/sites.ts'
import { pageLoaded } from '#lib/lazy-load.ts'

let loading: Promise<Site[]> | null = null

/** Drawings of all sites; the service worker keeps the file. Fetched once, after the first view. */
const loadSites = (): Promise<Site[]> => {
  loading ??= pageLoaded()
    // The first view needs no HTTP client.
    .then(() => import('#lib/load-json.ts').then(({ loadJson }) => loadJson<Site[]>('/sites.json')))
    .catch(() => {
      // Offline before the first visit: the next course tries again.
      loading = null
      return []
    })
  return loading
}

const holds = (site: Site, venue: string) => site.places.some(({ venues }) => venues.includes(venue))

/** The site with a venue; null while loading, and for a venue that no drawing has. */
export function useSite(venue: string): Site | null {
  const [sites, setSites] = useState<readonly Site[]>([])
  useEffect(() => {
    loadSites().then(setSites)
  }, [])
  return sites.find(site => holds(site, venue)) ?? null
}
