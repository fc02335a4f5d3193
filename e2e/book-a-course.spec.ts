import { randomUUID } from 'node:crypto'
import type { Course } from '#contract/endpoints/courses.ts'
import { bookCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { getReminders } from '#contract/endpoints/reminders.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { updateCourse } from '#server/test/factories.ts'
import { withPortalDatabase } from '#server/test/past-season.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { createCourse, performAtDesk } from './attendance-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'
import { createPerson, openAs, tokenOf } from './people-steps.ts'
import { coursesOf, inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const dateIn = (date: DateTimeValue | null | undefined) =>
  date ? `${String(date.day).padStart(2, '0')}.${String(date.month).padStart(2, '0')}.${date.year}` : 'no date'

/** Creates a course whose only place is booked. */
async function createFullCourse(portal: Portal): Promise<number> {
  const number = `VOLL-${randomUUID().slice(0, 6)}`
  const { courseId } = await performAtDesk(portal, {
    kind: 'create-course',
    number,
    name: 'Yoga am Abend',
    name2: 'Evening yoga',
    seasonId: 2,
    courseCategoryId: 3,
    start: inDays(30),
    end: inDays(100),
    startTime: '05:00',
    endTime: '06:00',
    venue: 'Halle 1',
    instructorEmails: [emailOf('instructor')],
    participants: 1,
    fee: 20,
  })
  const token = await tokenOf(portal, await createPerson(portal))
  expect(await portal.call(bookCourse, { token, body: { id: Number(courseId) } })).toMatchObject({ status: 'Ok' })
  return Number(courseId)
}

test('a free course is booked, appears under my courses and is cancelled', async ({ page, portal, loginAs }) => {
  const token = await loginAs('employee')
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable && c.fee === 0 && !c.running)
  await page.goto(`/course-details/${course?.id}`)
  await page.getByRole('button', { name: 'Jetzt buchen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Gebucht' })
  await expect(dialog).toContainText(`Sie haben einen Platz in „${course?.name}“`)
  expect(await violationsInBothSchemes(page)).toEqual([])
  const remind = dialog.getByRole('switch', { name: 'Am Vorabend erinnern' })
  await remind.click()
  await expect(remind).toBeChecked()
  await expect
    .poll(async () => (await portal.call(getReminders, { token })).lessonEve)
    .toEqual({ mail: true, push: false })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Buchung' })).toContainText('Sie sind dabei')
  await page.goto('/courses/booked')
  const card = page.getByRole('article').filter({ hasText: course?.name })
  await expect(card.getByText('stornierbar', { exact: true })).toBeVisible()

  // No one is promoted from the waiting list, so that cancelling needs no confirmation but offers an undo.
  await card.getByRole('button', { name: 'Stornieren' }).click()
  const cancelled = page.getByRole('dialog', { name: 'Storniert' })
  await expect(cancelled).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await cancelled.getByRole('button', { name: 'Rückgängig' }).click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card.getByText('stornierbar', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Stornieren' }).click()
  await cancelled.getByRole('button', { name: 'OK' }).click()
  await expect(card).toBeHidden()
  const booked = await portal.call(listBookedCourses, { token })
  expect(booked.map(({ id }) => id)).not.toContain(course?.id)
})

test('joining the waiting list of a full course shows the position', async ({ page, portal, loginAs }) => {
  const token = await loginAs('employee')
  const course = (await coursesOf(portal, token)).find(c => c.bookable && !c.directlyBookable)
  await page.goto(`/course-details/${course?.id}`)
  await expect(page.getByText('Ausgebucht', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Auf die Warteliste' }).click()
  if ((course?.price?.amount ?? 0) > 0)
    await page.getByRole('button', { name: /^Auf die Warteliste · mit Platz/ }).click()
  const position = (course?.currentWaiting ?? 0) + 1
  const dialog = page.getByRole('dialog', { name: 'Auf der Warteliste' })
  await expect(dialog).toContainText(`die Nummer ${position} auf der Warteliste`)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByText(`Warteliste, Nummer ${position}`)).toBeVisible()
  await page.getByText('Wie stehen meine Aussichten?').click()
  // The demo programme has too few past waiting lists.
  await expect(page.getByText(/zu wenige vergleichbare Wartelisten/)).toBeVisible()
  await page.route('**/odds', route =>
    route.fulfill({ json: { odds: { position, people: 9, placed: 7, placedSoon: 5 } } }),
  )
  await page.reload()
  await page.getByText('Wie stehen meine Aussichten?').click()
  await expect(page.getByText(/^Von\s9\sPersonen.*\s7\seinen Platz bekommen, die meisten innerhalb/)).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Warteliste verlassen' }).click()
  await page.getByRole('button', { name: 'Ja, verlassen' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('button', { name: 'Auf die Warteliste' })).toBeEnabled()
})

test('a paid course requires one confirmation with first lesson, price and deadline; the button says it is binding', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('external')
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable && c.energyFee > 0 && c.cancelUntil)
  const price = course?.price
  const euros = (amount = 0) => new RegExp(amount.toFixed(2).replace('.', ','))
  await page.goto(`/course-details/${course?.id}`)
  const block = page.getByRole('region', { name: 'Buchung' })
  await expect(block.getByRole('button', { name: /^Jetzt buchen · / })).toHaveText(euros(price?.amount))
  await block.getByRole('button', { name: /^Jetzt buchen · / }).click()
  const step = page.getByRole('dialog', { name: 'Verbindlich buchen' })
  await expect(step).toContainText('Erster Termin')
  await expect(step).toContainText(euros(price?.fee))
  await expect(step).toContainText(euros(course?.energyFee))
  await expect(step).toContainText(
    `Kostenlos online stornieren können Sie bis einschließlich ${dateIn(course?.cancelUntil)}`,
  )
  await expect(step).toContainText('Die Rechnung geht an Sie: Lotsenstieg 8, 00261 Lindhafen.')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await step.getByRole('button', { name: 'Zurück' }).click()
  expect(await portal.call(listBookedCourses, { token })).not.toContainEqual(
    expect.objectContaining({ id: course?.id }),
  )
  await block.getByRole('button', { name: /^Jetzt buchen · / }).click()
  await step.getByRole('button', { name: /^Verbindlich buchen für/ }).click()
  await expect(page.getByRole('dialog', { name: 'Gebucht' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(block).toContainText(`Kostenlos online stornierbar bis ${dateIn(course?.cancelUntil)}`)
})

test('a user who cannot book sees the reason and a link to alternatives', async ({ page, portal, loginAs }) => {
  await loginAs('external')
  await page.goto(`/course-details/${await createFullCourse(portal)}`)
  const block = page.getByRole('region', { name: 'Buchung' })
  await expect(block).toContainText('Externe können nur freie Plätze buchen')
  await block.getByRole('link', { name: 'Andere Kurse ansehen' }).click()
  await expect(page).toHaveURL(/\/courses\?category=\d+/)
})

test('the key facts of a course are visible without scrolling on a small phone, in every booking state @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  await page.setViewportSize({ width: 320, height: 568 })
  /** Course facts that are not entirely visible in the window. */
  const findHidden = async (course: Course | undefined) => {
    await page.goto(`/course-details/${course?.id}`)
    const block = page.getByRole('region', { name: 'Buchung' })
    // If this person cannot book the course, a link to alternatives or the reason replaces the button.
    const ways = block.getByRole('button').or(block.getByRole('link')).or(block.getByRole('group'))
    await expect(ways.first()).toBeVisible()
    // The part about the logged-in person is rendered last.
    await page.waitForLoadState('networkidle')
    const facts = page.locator('main dl').first().getByRole('definition')
    await expect(facts).toHaveCount(course?.seasonBookable ? 5 : 4)
    return facts.evaluateAll(all =>
      all.flatMap(fact => {
        const { right } = fact.getBoundingClientRect()
        // Only the first line of a fact must be uncovered: the sticky bar may repeat the rest in other words.
        const first = fact.firstElementChild?.getBoundingClientRect() ?? new DOMRect()
        const isCovered = !fact.contains(document.elementFromPoint(first.left + 2, first.bottom - 2))
        const isTooWide = [...fact.querySelectorAll('*')].some(part => part.getBoundingClientRect().right > right + 1)
        return isCovered || isTooWide ? [fact.textContent] : []
      }),
    )
  }
  const full = await createFullCourse(portal)
  const asExternal = await coursesOf(portal, await loginAs('external'))
  expect(await findHidden(asExternal.find(c => c.bookable && c.participants - c.currentParticipants > 9))).toEqual([])
  expect(await findHidden(asExternal.find(c => c.id === full && c.obstacle === 'fullForExternals'))).toEqual([])
  expect(await findHidden(asExternal.find(c => c.obstacle === 'notOpen'))).toEqual([])
  const asEmployee = await coursesOf(portal, await loginAs('employee'))
  const isTooLate = (c: Course) => c.bookingStatus === BOOKING_STATUS.Booked && c.running && !c.cancellabel
  expect(await findHidden(asEmployee.find(isTooLate))).toEqual([])
  const late = page.getByText('Die Frist für die kostenlose Online-Stornierung ist abgelaufen')
  await expect(late.filter({ visible: true })).toHaveCount(1)
})

test('a visitor who logs in from a course returns to it', async ({ page, portal }) => {
  const token = await tokenOf(portal, { email: emailOf('pensioner'), password: DEMO_PASSWORD })
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable)
  await page.goto(`/course-details/${course?.id}`)
  const booking = page.getByRole('region', { name: 'Buchung' })
  await expect(booking.getByText('Zum Buchen bitte anmelden')).toBeVisible()
  await expect(booking.getByRole('link', { name: 'Registrieren' })).toHaveAttribute('href', '/register1')
  await booking.getByRole('link', { name: 'Anmelden' }).click()
  await page.getByLabel('E-Mail').fill(emailOf('pensioner'))
  await page.locator('main input[type=password]').fill(DEMO_PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/course-details/${course?.id}$`))
  await expect(page.getByRole('button', { name: 'Jetzt buchen' })).toBeEnabled()
})

test('a countdown runs until booking opens, and the button is then enabled automatically @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  await loginAs('employee')
  const { id: courseId } = await createCourse(portal, { dates: [inDays(150)] })
  await withPortalDatabase(portal.dataDir, async db => {
    // The desk chooses an opening to the minute.
    const opensAt = new Date(Date.now() + 25_000)
    await updateCourse(db, courseId, { bookableFrom: opensAt, opensAt })
  })
  await page.goto(`/course-details/${courseId}`)
  const timer = page.getByRole('timer')
  await expect(timer).toHaveText(/00:\d\d/)
  await expect(timer).toHaveCSS('color', 'rgb(180, 35, 24)')
  await expect(page.getByRole('heading', { name: 'Bereit für den Start' })).toBeVisible()
  await expect(page.getByText('Profil vollständig')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Buchbar ab/ })).toBeDisabled()
  expect(await violationsInBothSchemes(page)).toEqual([])

  // Enabled when the countdown ends, without a response of the server.
  const { promise: enabled, resolve: tellEnabled } = Promise.withResolvers<void>()
  await page.route(`**/api/course/${courseId}*`, async route => {
    await enabled
    await route.continue()
  })
  await expect(timer).toBeHidden({ timeout: patience * 60_000 })
  const button = page.getByRole('button', { name: 'Jetzt buchen' })
  await expect(button).toBeEnabled()
  tellEnabled()
  await button.click()
  await expect(page.getByRole('dialog', { name: 'Gebucht' })).toBeVisible()
})

test('a booking whose response is lost is retried, made only once and confirmed', async ({ page, portal, loginAs }) => {
  const token = await loginAs('insured')
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable && (c.price?.amount ?? 0) > 0)
  let lost = 0
  await page.route('**/api/course/coursebooking', async route => {
    if (lost++ > 1) return route.continue()
    // The server receives the booking, but its response is lost.
    if (lost === 1) await route.fetch()
    await route.abort('connectionreset')
  })
  await page.goto(`/course-details/${course?.id}`)
  await page.getByRole('button', { name: 'Jetzt buchen' }).click()
  await page.getByRole('button', { name: /^Verbindlich buchen für/ }).click()
  await expect(page.getByText('Die Antwort kam nicht an.')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Gebucht' })).toBeVisible()
  const booked = await portal.call(listBookedCourses, { token })
  expect(booked.filter(({ id }) => id === course?.id).map(c => c.bookingStatus)).toEqual([BOOKING_STATUS.Booked])
})

test('the start page shows a booking that is still being retried @extended', async ({ page, portal, person }) => {
  const token = await tokenOf(portal, person)
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable && c.price?.amount === 0)
  let isLost = true
  await page.route('**/api/course/coursebooking', route => (isLost ? route.abort('connectionreset') : route.continue()))
  await openAs(page, portal, person, `/course-details/${course?.id}`)
  await page.getByRole('button', { name: 'Jetzt buchen' }).click()
  await expect(page.getByText('Die Antwort kam nicht an.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Schnellzugriff' }).getByRole('link', { name: 'Start' }).click()
  const asked = page.getByRole('link', { name: `${course?.name}: Wir prüfen Ihre Buchung …` })
  await expect(asked).toBeInViewport({ ratio: 1 })
  expect(await violationsInBothSchemes(page)).toEqual([])
  isLost = false
  await expect(page.getByRole('dialog', { name: 'Gebucht' })).toBeVisible({ timeout: patience * 30_000 })
  await expect(asked).toHaveCount(0)
})

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('while offline, the button says that booking needs a network connection, and it is enabled again on reconnecting @extended', async ({
    page,
    context,
    portal,
    loginAs,
  }) => {
    const token = await loginAs('external')
    const course = (await coursesOf(portal, token)).find(c => c.directlyBookable)
    await page.goto(`/course-details/${course?.id}`)
    await expect(page.getByRole('button', { name: 'Jetzt buchen' })).toBeEnabled()
    // A pending response would mark the portal as reachable.
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    const button = page.getByRole('button', { name: 'Buchen braucht Netz: noch einmal prüfen' })
    await expect(button).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('button', { name: 'Jetzt buchen' })).toBeEnabled()
  })
})
