import { changePresence, completeParticipation, getCourseDates } from '#contract/attendance.ts'
import { listInstructorCourses } from '#contract/courses.ts'
import { logout } from '#contract/session.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import {
  expectState,
  loginInstructor,
  openList,
  presentAtServer,
  rowOf,
  runningCourse,
  stayLoggedIn,
  tickAbsent,
  tickButtons,
  tickOf,
} from './attendance-steps.ts'
import { pageOf, test, untilInstalled } from './browser-fixture.ts'
import { DEMO_PASSWORD, emailOf, expect } from './fixtures.ts'

const ALL_ARRIVED = 'Alles ist beim Portal angekommen.'

test('ten ticks without a network outlive the browser and arrive when the network is back', async ({
  portal,
  gate,
  openBrowser,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 0)
  const before = await presentAtServer(portal, token, courseId)

  const browser = await openBrowser()
  const page = await stayLoggedIn(browser, token)
  await openList(page, courseId)
  await untilInstalled(browser)
  gate.isOpen = false
  await browser.setOffline(true)
  const names = await tickAbsent(page, 10)
  expect(names).toHaveLength(10)
  await expectState(page, names, 'auf diesem Gerät')
  await browser.close()

  const again = await openBrowser()
  const reopened = await pageOf(again)
  await openList(reopened, courseId)
  await expectState(reopened, names, 'auf diesem Gerät')
  expect(await presentAtServer(portal, token, courseId)).toEqual(before)

  gate.isOpen = true
  await reopened.getByRole('button', { name: 'Senden' }).click()
  await expectState(reopened, names, 'bestätigt')
  await expect(reopened.getByText(ALL_ARRIVED).first()).toBeVisible()
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
})

test('the worker sends what waits while no page of the portal is open', async ({ portal, gate, openBrowser }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 0)
  const browser = await openBrowser()
  const page = await stayLoggedIn(browser, token)
  await openList(page, courseId)
  await untilInstalled(browser)
  await page.getByRole('button', { name: 'Voriger Termin' }).click()
  gate.isOpen = false
  const names = await tickAbsent(page, 2)
  await expectState(page, names, 'auf diesem Gerät')
  await page.goto('about:blank')
  gate.isOpen = true
  // The browser chooses the moment; the test does so in its place.
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

test('ten ticks outlive the browser and a killed server', async ({ portal, openBrowser }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 1)
  const before = await presentAtServer(portal, token, courseId)

  const browser = await openBrowser()
  const page = await stayLoggedIn(browser, token)
  await openList(page, courseId)
  await untilInstalled(browser)
  await portal.kill()
  const names = await tickAbsent(page, 10)
  await expectState(page, names, 'auf diesem Gerät')
  await browser.close()

  const again = await openBrowser()
  const reopened = await pageOf(again)
  await openList(reopened, courseId)
  await expectState(reopened, names, 'auf diesem Gerät')

  await portal.start()
  await reopened.getByRole('button', { name: 'Senden' }).click()
  await expectState(reopened, names, 'bestätigt')
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
})

test('a refused tick says why, and both decisions work', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 2)
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  await page.context().setOffline(true)
  await portal.call(completeParticipation, { token, body: { courseId, isCompleted: true } })
  const [taken = '', kept = ''] = await tickAbsent(page, 2)
  await expectState(page, [taken, kept], 'auf diesem Gerät')
  await page.context().setOffline(false)
  for (const name of [taken, kept]) {
    await expect(rowOf(page, name)).toContainText('Die Anwesenheit dieses Kurses ist abgeschlossen')
    await expect(rowOf(page, name)).toContainText('Im Portal ist noch nichts erfasst.')
  }

  await page.getByRole('button', { name: `Stand des Portals nehmen: ${taken}` }).click()
  await expect(tickOf(page, taken)).toHaveAccessibleName(`${taken}: nicht erfasst`)
  await portal.call(completeParticipation, { token, body: { courseId, isCompleted: false } })
  await page.getByRole('button', { name: `Noch einmal senden: ${kept}` }).click()
  await expectState(page, [kept], 'bestätigt')
  const present = await presentAtServer(portal, token, courseId)
  expect(present).toContain(kept)
  expect(present).not.toContain(taken)
})

test('a session that ended meanwhile keeps the ticks until the same person logs in', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 2)
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  await page.context().setOffline(true)
  const names = await tickAbsent(page, 2)
  await expectState(page, names, 'auf diesem Gerät')
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

test('a second tab follows the ticks of the first', async ({ portal, context, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 3)
  await stayLoggedIn(context, token)
  await openList(page, courseId)
  const other = await context.newPage()
  await openList(other, courseId)
  await context.setOffline(true)
  const names = await tickAbsent(page, 2)
  await expectState(other, names, 'auf diesem Gerät')
  await context.setOffline(false)
  for (const tab of [page, other]) await expectState(tab, names, 'bestätigt')
  // Once the new list is here it shows what the ticks said.
  await other.waitForTimeout(2_500)
  for (const tab of [page, other]) {
    await expectState(tab, names, 'bestätigt')
    for (const name of names) await expect(tickOf(tab, name)).toHaveAccessibleName(`${name}: da`)
  }
})

test.describe('with a network that answers for the portal', () => {
  test.use({ serviceWorkers: 'block' })
  const CHANGE = `**${changePresence.path}`

  test('a login page of the hotel confirms nothing', async ({ portal, context, page }) => {
    const { id: token } = await loginInstructor(portal)
    const courseId = await runningCourse(portal, token, 3)
    await stayLoggedIn(context, token)
    await openList(page, courseId)
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

  test('an answer that was lost on its way is asked for again, and the change counts once', async ({
    portal,
    context,
    page,
  }) => {
    const { id: token } = await loginInstructor(portal)
    const courseId = await runningCourse(portal, token, 3)
    await stayLoggedIn(context, token)
    await openList(page, courseId)
    const sent: string[] = []
    await context.route(CHANGE, async route => {
      sent.push(route.request().postDataJSON().changeId)
      const response = await route.fetch()
      if (sent.length === 1) await route.abort()
      else await route.fulfill({ response })
    })
    const [name = ''] = await tickAbsent(page, 1)
    await expectState(page, [name], 'bestätigt')
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(1)
    expect(await presentAtServer(portal, token, courseId)).toContain(name)
  })
})

test('everybody at once, and back', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 0)
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  // To a lesson at which not everybody was there already.
  const isFull = () => page.getByRole('button', { name: 'Alle da' }).isDisabled()
  do await page.getByRole('button', { name: 'Voriger Termin' }).click()
  while (await isFull())
  const all = await tickButtons(page).count()
  const counted = page.getByRole('heading', { level: 2, name: / von \d+ da/ })
  const before = (await counted.textContent())?.match(/^\d+ von \d+ da/)?.[0]
  await page.getByRole('button', { name: 'Alle da' }).click()
  await expect(page.getByRole('heading', { name: `${all} von ${all} da` })).toBeVisible()
  await page.getByRole('button', { name: 'Rückgängig', exact: true }).click()
  await expect(page.getByRole('heading', { name: before ?? '' })).toBeVisible()
  await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
})

test('the first ticks move nothing under the thumb, and undo returns to what was not recorded', async ({
  portal,
  page,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 1)
  await stayLoggedIn(page.context(), token)
  for (const [width, height] of [
    [390, 844],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openList(page, courseId)
    await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
    // Every state that a tick with a network runs through.
    await page.evaluate(() => {
      const tops = () =>
        [...document.querySelectorAll('main li button')].slice(0, 4).map(of => of.getBoundingClientRect().top + scrollY)
      const first = tops()
      const watched = { movedBy: 0 }
      const watch = () => {
        const moves = tops().map((top, index) => Math.abs(top - (first[index] ?? top)))
        watched.movedBy = Math.max(watched.movedBy, ...moves)
        requestAnimationFrame(watch)
      }
      watch()
      Object.assign(window, { watched })
    })
    const movedBy = () => page.evaluate(() => (window as unknown as { watched: { movedBy: number } }).watched.movedBy)
    const [online = ''] = await tickAbsent(page, 1)
    await expectState(page, [online], 'bestätigt')
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await expect(tickOf(page, online)).toHaveAccessibleName(`${online}: nicht erfasst`)
    await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
    expect(await movedBy()).toBeLessThan(1)
    // Those in sight: rows out of sight have estimated heights.
    const places = () =>
      tickButtons(page).evaluateAll(buttons =>
        buttons.slice(0, 4).map(of => Math.round(of.getBoundingClientRect().top + window.scrollY)),
      )
    const before = await places()
    await page.context().setOffline(true)
    const names = await tickAbsent(page, 2)
    await expect(page.getByRole('button', { name: 'Senden' })).toBeVisible()
    expect(await places()).toEqual(before)
    await page.context().setOffline(false)
    await expectState(page, names, 'bestätigt')
    expect(await places()).toEqual(before)
    for (const _ of names) await page.getByRole('button', { name: 'Rückgängig' }).click()
    for (const name of names) await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: nicht erfasst`)
    await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
    await page.reload()
    for (const name of names) await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: nicht erfasst`)
  }
})

test('a lesson to come takes no ticks and says why', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 1)
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  await page.getByRole('button', { name: 'Nächster Termin' }).click()
  await expect(page.getByText('Anwesenheit lässt sich ab dem Tag des Termins erfassen.')).toBeVisible()
  await expect(tickButtons(page).first()).toBeDisabled()
  await expect(tickButtons(page).first()).toHaveAccessibleDescription(/ab dem Tag des Termins/)
  await expect(page.getByRole('button', { name: 'Alle da' })).toBeDisabled()
  await expect(page.getByRole('status').filter({ hasText: 'ab dem Tag des Termins' })).toHaveCount(1)
})

test('the whole row marks its person, and the end of a list is said: open, done, closed', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 2)
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  const labels = await tickButtons(page).evaluateAll(of => of.map(each => each.getAttribute('aria-label') ?? ''))
  // The journeys before may have marked somebody.
  const name = labels.find(label => label.endsWith(': nicht erfasst'))?.split(':')[0] ?? ''
  const end = page.getByRole('button', { name: 'Anwesenheit abschließen' })
  await expect(end).toHaveCSS('color', 'rgb(16, 38, 42)')
  await expect(page.getByText(/^Noch nicht erfasst: \d+$/)).toBeInViewport()
  // Forced: on top of the name lies the row's share of the button.
  await rowOf(page, name).getByText(name).click({ force: true })
  await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: da`)
  await page.getByRole('button', { name: 'Alle da' }).click()
  const all = await tickButtons(page).count()
  await expect(page.getByText(new RegExp(`^(?:Fertig für heute|Alle erfasst): ${all} von ${all}`))).toBeInViewport()
  for (let taps = 0; taps < 2; taps += 1) await page.getByRole('button', { name: 'Rückgängig' }).click()
  await expect(page.getByText(/^Noch nicht erfasst: \d+$/)).toBeInViewport()

  await end.click()
  await page.getByRole('button', { name: 'Abschließen', exact: true }).click()
  const closed = page.getByText('Die Anwesenheit ist abgeschlossen. Zum Ändern bitte wieder öffnen.').first()
  await expect(closed).toBeInViewport()
  await expect(tickOf(page, name)).toBeDisabled()
  await expect(tickOf(page, name)).toHaveAccessibleDescription(/abgeschlossen/)
  await page.getByRole('button', { name: 'Anwesenheit wieder öffnen' }).click()
  await page.getByRole('button', { name: 'Wieder öffnen', exact: true }).click()
  await expect(tickOf(page, name)).toBeEnabled()
  await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
})

test('the participant list is saved under the portal’s name for it, number first', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 0)
  const course = (await portal.call(listInstructorCourses, { token })).find(({ id }) => id === courseId)
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Teilnahmeliste (PDF)' }).click()
  expect((await saved).suggestedFilename()).toMatch(new RegExp(`^${course?.number} .+\\.pdf$`))
})

test('nothing in the attendance screens keeps anybody out, in neither scheme', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 2)
  await stayLoggedIn(page.context(), token)
  const expectNoViolation = async () => expect(await violationsInBothSchemes(page)).toEqual([])
  await page.goto('/courses/instructor')
  await expect(page.getByRole('link', { name: 'Anwesenheit erfassen' }).first()).toBeVisible()
  await expectNoViolation()
  await openList(page, courseId)
  await expectNoViolation()
  await page.context().setOffline(true)
  await tickAbsent(page, 1)
  await expect(page.getByRole('button', { name: 'Senden' })).toBeVisible()
  await expectNoViolation()
  await page.getByRole('button', { name: 'Anwesenheit abschließen' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolation()
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Abbrechen' }).click()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page)).toBe(0)
})
