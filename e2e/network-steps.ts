import type { Page, Route } from '@playwright/test'

/** Calls that decide whether somebody is logged in: without their answers there is no screen to look at. */
const isSession = (route: Route) => route.request().url().includes('/api/session')

/** The network as the page meets it: answers that do not come, refusals of a broken server, no network, lists without an entry. */
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

/** As a phone whose owner asked for little data: nothing comes by itself. For pages opened from now on. */
export const spareData = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))

/** From now on all calls but those of the session fare so. The page must be without a worker. */
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

/** What matches does not come. @returns what lets it through */
export async function holdBack(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async route => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}
