import { listInstructorCourses } from '#contract/endpoints/courses.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import {
  askToClose,
  enterAsInstructor,
  expectAllArrived,
  expectState,
  openList,
  openRunningList,
  readTicks,
  rowOf,
  tickAbsent,
  tickButtons,
  tickOf,
  tickUntil,
} from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'

const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Number.NaN)

test('all participants are marked present with one tap, and undo restores the previous state', async ({
  portal,
  page,
}) => {
  await openRunningList(portal, page.context(), 0)
  // The choice of the lesson is tappable above and below its text, without covering the course's name.
  const choice = page.getByRole('combobox')
  await expect(choice).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  const choiceBox = await choice.boundingBox()
  const barBox = await choice.locator('xpath=../..').boundingBox()
  expect(bottomOf(choiceBox)).toBeLessThanOrEqual(bottomOf(barBox))
  // Switches to a lesson at which not all participants are marked as present yet.
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
  await expectAllArrived(page)
})

test('the first attendance changes shift no rows, and undo restores "not recorded" @extended', async ({
  portal,
  page,
}) => {
  const { courseId } = await enterAsInstructor(portal, page.context(), 1)
  // Other tests may have marked people of this course: these tests use people without a recorded state.
  const unrecorded = /: nicht erfasst$/
  for (const [width, height] of [
    [390, 844],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openList(page, courseId)
    await expectAllArrived(page)
    // All sync states of a change while the network is available.
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
    const [online = ''] = await tickUntil(page, 'bestätigt', 1, unrecorded)
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await expect(tickOf(page, online)).toHaveAccessibleName(`${online}: nicht erfasst`)
    await expectAllArrived(page)
    expect(await movedBy()).toBeLessThan(1)
    // Only visible rows are measured: others have estimated heights.
    const places = () =>
      tickButtons(page).evaluateAll(buttons =>
        buttons.slice(0, 4).map(of => Math.round(of.getBoundingClientRect().top + window.scrollY)),
      )
    const before = await places()
    await page.context().setOffline(true)
    const names = await tickAbsent(page, 2, unrecorded)
    await expect(page.getByRole('button', { name: 'Senden' })).toBeVisible()
    expect(await places()).toEqual(before)
    await page.context().setOffline(false)
    await expectState(page, names, 'bestätigt')
    expect(await places()).toEqual(before)
    for (const _ of names) await page.getByRole('button', { name: 'Rückgängig' }).click()
    for (const name of names) await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: nicht erfasst`)
    await expectAllArrived(page)
    await page.reload()
    for (const name of names) await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: nicht erfasst`)
  }
})

test('attendance of a future lesson cannot be recorded, and the list says why @extended', async ({ portal, page }) => {
  await openRunningList(portal, page.context(), 1)
  await page.getByRole('button', { name: 'Nächster Termin' }).click()
  await expect(page.getByText('Anwesenheit lässt sich ab dem Tag des Termins erfassen.')).toBeVisible()
  await expect(tickButtons(page).first()).toBeDisabled()
  await expect(tickButtons(page).first()).toHaveAccessibleDescription(/ab dem Tag des Termins/)
  await expect(page.getByRole('button', { name: 'Alle da' })).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'ab dem Tag des Termins' })).toHaveCount(1)
})

test('tapping anywhere in a row records attendance, and the list shows whether it is open, complete or closed @extended', async ({
  portal,
  page,
}) => {
  await openRunningList(portal, page.context(), 2)
  const labels = await readTicks(page)
  // Earlier tests may have marked people.
  const name = labels.find(label => label.endsWith(': nicht erfasst'))?.split(':')[0] ?? ''
  await expect(page.getByRole('button', { name: 'Anwesenheit abschließen' })).toBeHidden()
  await expect(page.getByText(/^Noch nicht erfasst: \d+$/)).toBeInViewport()
  // A forced click, because the row's button covers the name.
  await rowOf(page, name).getByText(name).click({ force: true })
  await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: da`)
  await page.getByRole('button', { name: 'Alle da' }).click()
  const all = await tickButtons(page).count()
  await expect(page.getByText(new RegExp(`^(?:Fertig für heute|Alle erfasst): ${all} von ${all}`))).toBeInViewport()
  for (let taps = 0; taps < 2; taps += 1) await page.getByRole('button', { name: 'Rückgängig' }).click()
  await expect(page.getByText(/^Noch nicht erfasst: \d+$/)).toBeInViewport()

  await askToClose(page)
  await page.getByRole('button', { name: 'Abschließen', exact: true }).click()
  const closed = page.getByText('Die Anwesenheit ist abgeschlossen. Zum Ändern bitte wieder öffnen.').first()
  await expect(closed).toBeInViewport()
  await expect(tickOf(page, name)).toBeDisabled()
  await expect(tickOf(page, name)).toHaveAccessibleDescription(/abgeschlossen/)
  await page.getByRole('button', { name: 'Anwesenheit wieder öffnen' }).click()
  await page.getByRole('button', { name: 'Wieder öffnen', exact: true }).click()
  await expect(tickOf(page, name)).toBeEnabled()
  await expectAllArrived(page)
})

test('the participant list is downloaded under the file name set by the portal, course number first @extended', async ({
  portal,
  page,
}) => {
  const { token, courseId } = await openRunningList(portal, page.context(), 0)
  const course = (await portal.call(listInstructorCourses, { token })).find(({ id }) => id === courseId)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Teilnahmeliste (PDF)' }).click()
  expect((await saved).suggestedFilename()).toMatch(new RegExp(`^${course?.number} .+\\.pdf$`))
})

test('the attendance screens are accessible in both color schemes @extended', async ({ portal, page }) => {
  const { courseId } = await enterAsInstructor(portal, page.context(), 2)
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
  await askToClose(page)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoViolation()
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Abbrechen' }).click()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page)).toBe(0)
})
