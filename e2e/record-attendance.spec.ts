import type { BrowserContext, Page } from '@playwright/test'
import { changePresence, completeParticipation, getCourseDates } from '#contract/endpoints/attendance.ts'
import { logout } from '#contract/endpoints/session.ts'
import {
  expectAllArrived,
  expectState,
  loginInstructor,
  openList,
  openRunningList,
  presentAtServer,
  rowOf,
  tickAbsent,
  tickOf,
  tickUntil,
} from './attendance-steps.ts'
import { pageOf, test, untilInstalled } from './browser-fixture.ts'
import { DEMO_PASSWORD, emailOf, expect } from './fixtures.ts'

/** The list as stored on the device, with unsent changes applied. */
async function reopenList(browser: BrowserContext, courseId: number, names: string[]): Promise<Page> {
  const page = await pageOf(browser)
  await openList(page, courseId)
  await expectState(page, names, 'auf diesem Gerät')
  return page
}

test('ten attendance changes made offline survive a browser restart and are sent on reconnecting', async ({
  portal,
  gate,
  openBrowser,
}) => {
  const browser = await openBrowser()
  const { page, courseId, before, readPresent } = await openRunningList(portal, browser, 0)
  await untilInstalled(browser)
  gate.isOpen = false
  await browser.setOffline(true)
  const names = await tickUntil(page, 'auf diesem Gerät', 10)
  expect(names).toHaveLength(10)
  await browser.close()

  const reopened = await reopenList(await openBrowser(), courseId, names)
  expect(await readPresent()).toEqual(before)

  gate.isOpen = true
  await reopened.getByRole('button', { name: 'Senden' }).click()
  await expectState(reopened, names, 'bestätigt')
  await expectAllArrived(reopened)
  expect((await readPresent()).sort()).toEqual([...before, ...names].sort())
})

test('the service worker sends pending changes while no page of the portal is open', async ({
  portal,
  gate,
  openBrowser,
}) => {
  const browser = await openBrowser()
  const { page, token, courseId } = await openRunningList(portal, browser, 0)
  await untilInstalled(browser)
  await page.getByRole('button', { name: 'Voriger Termin' }).click()
  gate.isOpen = false
  const names = await tickUntil(page, 'auf diesem Gerät', 2)
  await page.goto('about:blank')
  gate.isOpen = true
  // The browser decides when to fire background sync; the test triggers it instead.
  const devtools = await browser.newCDPSession(page)
  const registrations: string[] = []
  devtools.on('ServiceWorker.workerRegistrationUpdated', event =>
    registrations.push(...event.registrations.map(({ registrationId }) => registrationId)),
  )
  await devtools.send('ServiceWorker.enable')
  await expect.poll(() => registrations.length).toBeGreaterThan(0)
  const sync = { origin: gate.url, registrationId: registrations[0] ?? '', tag: 'attendance-outbox', lastChance: false }
  await devtools.send('ServiceWorker.dispatchSyncEvent', sync)
  const { preSelectCourseDateId } = await portal.call(getCourseDates, { params: { id: courseId }, token })
  await expect
    .poll(async () => {
      const { courseDates } = await portal.call(getCourseDates, { params: { id: courseId }, token })
      const index = courseDates.findIndex(({ id }) => id === preSelectCourseDateId) - 1
      return courseDates[index]?.participants.filter(({ isUserPresent }) => isUserPresent).map(({ name }) => name)
    })
    .toEqual(expect.arrayContaining(names))
})

test('ten attendance changes survive a browser restart and a killed server @extended', async ({
  portal,
  openBrowser,
}) => {
  const browser = await openBrowser()
  const { page, courseId, before, readPresent } = await openRunningList(portal, browser, 1)
  await untilInstalled(browser)
  await portal.kill()
  const names = await tickUntil(page, 'auf diesem Gerät', 10)
  await browser.close()

  const reopened = await reopenList(await openBrowser(), courseId, names)

  await portal.start()
  await reopened.getByRole('button', { name: 'Senden' }).click()
  await expectState(reopened, names, 'bestätigt')
  expect((await readPresent()).sort()).toEqual([...before, ...names].sort())
})

test('a rejected attendance change shows its reason, and can be discarded or sent again', async ({ portal, page }) => {
  const { token, courseId, readPresent } = await openRunningList(portal, page.context(), 2)
  await page.context().setOffline(true)
  await portal.call(completeParticipation, { token, body: { courseId, isCompleted: true } })
  const [taken = '', kept = ''] = await tickUntil(page, 'auf diesem Gerät', 2)
  await page.context().setOffline(false)
  for (const name of [taken, kept]) {
    await expect(rowOf(page, name)).toContainText('Die Anwesenheit dieses Kurses ist abgeschlossen')
    await expect(rowOf(page, name)).toContainText('Im Portal ist noch nichts erfasst.')
  }

  await page.getByRole('button', { name: `„nicht erfasst“ übernehmen: ${taken}` }).click()
  await expect(tickOf(page, taken)).toHaveAccessibleName(`${taken}: nicht erfasst`)
  await portal.call(completeParticipation, { token, body: { courseId, isCompleted: false } })
  await page.getByRole('button', { name: `„da“ eintragen: ${kept}` }).click()
  await expectState(page, [kept], 'bestätigt')
  const present = await readPresent()
  expect(present).toContain(kept)
  expect(present).not.toContain(taken)
})

test('attendance changes of an ended session are retained until the same user logs in', async ({ portal, page }) => {
  const { token, courseId } = await openRunningList(portal, page.context(), 2)
  await page.context().setOffline(true)
  const names = await tickUntil(page, 'auf diesem Gerät', 2)
  await portal.call(logout, { token })
  await page.context().setOffline(false)
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByText('Session ist ungültig. Bitte neu anmelden.')).toBeVisible()
  const notice = page.getByRole('region', { name: 'Häkchen auf diesem Gerät' })
  await expect(notice).toContainText(
    /2Häkchen von .+ liegen auf diesem Gerät\. Melden Sie sich an, damit sie ankommen\./,
  )
  await expect(notice.getByRole('link', { name: 'Zur Anmeldung' })).toBeVisible()

  await page.goto('/login')
  await page.getByLabel('E-Mail').fill(emailOf('instructor'))
  await page
    .getByLabel(/^Passwort/)
    .first()
    .fill(DEMO_PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page).not.toHaveURL(/login/)
  await openList(page, courseId)
  await expectState(page, names, 'bestätigt')
  const { id: fresh } = await loginInstructor(portal)
  expect(await presentAtServer(portal, fresh, courseId)).toEqual(expect.arrayContaining(names))
})

test('a second tab shows the attendance changes of the first', async ({ portal, context, page }) => {
  const { courseId } = await openRunningList(portal, context, 3)
  const other = await context.newPage()
  await openList(other, courseId)
  await context.setOffline(true)
  const names = await tickAbsent(page, 2)
  await expectState(other, names, 'auf diesem Gerät')
  await context.setOffline(false)
  for (const tab of [page, other]) await expectState(tab, names, 'bestätigt')
  // Once the list is refetched, it contains the recorded changes.
  await other.waitForTimeout(2_500)
  for (const tab of [page, other]) {
    await expectState(tab, names, 'bestätigt')
    for (const name of names) await expect(tickOf(tab, name)).toHaveAccessibleName(`${name}: da`)
  }
})

test.describe('without the service worker', () => {
  test.use({ serviceWorkers: 'block' })
  const CHANGE = `**${changePresence.path}`

  test('the login page of a captive portal confirms no change @extended', async ({ portal, context, page }) => {
    await openRunningList(portal, context, 3)
    await context.route('**/api/**', route =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to our wifi</h1>' }),
    )
    const names = await tickAbsent(page, 2)
    await expect(page.getByRole('button', { name: 'Senden' })).toBeVisible()
    await expectState(page, names, 'auf diesem Gerät')
    await context.unroute('**/api/**')
    await page.getByRole('button', { name: 'Senden' }).click()
    await expectState(page, names, 'bestätigt')
  })

  test('a change whose response is lost is retried with the same id and applied once @extended', async ({
    portal,
    context,
    page,
  }) => {
    const { readPresent } = await openRunningList(portal, context, 3)
    const sent: string[] = []
    await context.route(CHANGE, async route => {
      sent.push(route.request().postDataJSON().changeId)
      const response = await route.fetch()
      if (sent.length === 1) await route.abort()
      else await route.fulfill({ response })
    })
    const [name = ''] = await tickUntil(page, 'bestätigt', 1)
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(1)
    expect(await readPresent()).toContain(name)
  })
})
