import type { Page, Route } from '@playwright/test'

/** Session requests: without their responses no screen is shown. */
const isSession = (route: Route) => route.request().url().includes('/api/session')

/** Simulated network conditions: pending responses, server errors, offline, empty lists. */
export type Network = 'slow' | 'broken' | 'gone' | 'empty'

const answer = {
  slow: () => new Promise<never>(() => undefined),
  broken: (route: Route) => route.fulfill({ status: 500, json: { status: 'Failed', message: 'Das ging nicht.' } }),
  gone: (route: Route) => route.abort('internetdisconnected'),
  empty: async (route: Route) => {
    const json = await (await route.fetch()).json()
    if (Array.isArray(json)) return route.fulfill({ json: [] })
    return route.fulfill({ json: 'columns' in json ? { texts: [], columns: { id: [] } } : json })
  },
}

/** Simulates the browser's data saver: no prefetching. Applies to pages opened afterwards. */
export const spareData = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))

/** Applies a network condition to all requests except session requests. The page must have no service worker. */
export async function setNetwork(page: Page, network: Network): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/api/**', route => (isSession(route) ? route.continue() : answer[network](route)))
}

/** The next such call is done, and its answer lost on the way. */
export const loseAnswer = (page: Page, path: string): Promise<unknown> =>
  page.route(
    `**${path}`,
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

/**
 * Delays matching requests. @returns function that releases them
 */
export async function holdBack(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async route => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}
