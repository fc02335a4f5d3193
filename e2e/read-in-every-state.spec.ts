import type { Page } from '@playwright/test'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { loginInstructor, runningCourse } from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'
import { type Network, setNetwork } from './network-steps.ts'
import { WHOLE_PROGRAMME } from './programme-steps.ts'

// No service worker: its caches would hide the simulated network failures.
test.use({ serviceWorkers: 'block', viewport: { width: 320, height: 640 } })

const retry = (page: Page) => page.getByRole('button', { name: 'Noch einmal versuchen' })
/** Element that indicates that the page has reached the state. */
const SIGNS: Record<Network, (page: Page) => ReturnType<Page['locator']>> = {
  slow: page => page.locator('main [role="status"]').filter({ hasText: /Moment|geladen/ }),
  broken: retry,
  gone: retry,
  empty: page => page.locator('main section h2'),
}

const PUBLIC = ['/courses', '/course-details/7', '/flyers', '/instructor', '/photo-album', '/photo-album/1']

/** Checks the list screens in this state in both color schemes. @returns axe violations by path */
async function inspectPages(page: Page, network: Network, paths: string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(SIGNS[network](page).first(), path).toBeVisible()
    const violations = await violationsInBothSchemes(page)
    if ((await overflowOf(page)) > 0) violations.push('runs sideways')
    if (violations.length > 0) found[path] = violations
  }
  return found
}

for (const network of ['slow', 'broken', 'empty'] as const) {
  const isEmpty = network === 'empty'

  test(`every list for visitors is accessible in the network state "${network}" @extended`, async ({ page }) => {
    test.slow()
    await setNetwork(page, network)
    const paths = isEmpty ? PUBLIC.filter(path => !path.startsWith('/course-details')) : PUBLIC
    expect(await inspectPages(page, network, paths)).toEqual({})
  })

  test(`every list for logged-in users is accessible in the network state "${network}" @extended`, async ({
    page,
    portal,
    loginAs,
  }) => {
    test.slow()
    const { id: token } = await loginInstructor(portal)
    const course = await runningCourse(portal, token, 0)
    await loginAs('instructor')
    await setNetwork(page, network)
    const paths = ['/courses/booked', '/messages', '/courses/instructor']
    const others = isEmpty ? [] : [`/course-participation/${course}`]
    expect(await inspectPages(page, network, [...paths, ...others])).toEqual({})
  })
}

test('losing the network during a first visit is reported @extended', async ({ page }) => {
  await setNetwork(page, 'gone')
  expect(await inspectPages(page, 'gone', ['/home', '/courses', '/course-details/7'])).toEqual({})
})

test('a list loads on retry once the server is available again @extended', async ({ page }) => {
  await setNetwork(page, 'broken')
  await page.goto('/courses')
  await expect(page.getByText('Keine Verbindung zum Portal.')).toBeVisible()
  await expect(retry(page)).toBeVisible()
  await page.unrouteAll()
  // The app also retries automatically, so that a manual retry may no longer be needed.
  await retry(page)
    .click({ timeout: 3_000 })
    .catch(() => undefined)
  await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
  await expect(page.getByText('Keine Verbindung zum Portal.')).toBeHidden()
})
