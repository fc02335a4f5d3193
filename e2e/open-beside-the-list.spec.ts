import { randomUUID } from 'node:crypto'
import { listOfficePeople, performAct } from '#contract/office/office.ts'
import { getToday } from '#contract/office/today.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { addLessonToday, courseWithoutLessonToday, loginInstructor } from './attendance-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { importRows } from './import-steps.ts'
import { tokenOf } from './people-steps.ts'
import { DEMO_PASSWORD, type Portal } from './portal.ts'
import { inDays } from './programme-steps.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

test('@desktop a person opens in a panel next to the list, and the keys j and k change the person @extended', async ({
  page,
}) => {
  await page.goto('/office/people')
  const links = page.locator('main').getByRole('rowheader').getByRole('link')
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  const title = panel.getByRole('heading', { level: 2 }).first()
  const [first, second] = [links.nth(0), links.nth(1)]
  const names = [String(await first.textContent()), String(await second.textContent())]
  await first.click()
  await expect(title).toHaveText(names[0] ?? '')
  await expect(page).toHaveURL(/\/office\/people\?open=people-\d+$/)
  await expect(panel).toBeFocused()
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/panel.png` })

  await page.keyboard.press('j')
  await expect(title).toHaveText(names[1] ?? '')
  await page.keyboard.press('k')
  await expect(title).toHaveText(names[0] ?? '')
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Angaben ändern' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await panel.getByRole('button', { name: 'Kurs buchen' }).click()
  const booking = page.getByRole('dialog', { name: 'Kurs buchen' })
  await booking.getByRole('button', { name: 'Abbrechen' }).focus()
  await page.keyboard.press('Escape')
  await expect(booking).toBeHidden()
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(first).toBeFocused()
  await expect(page).toHaveURL(/\/office\/people$/)

  await page.keyboard.press('Enter')
  await page.reload()
  await expect(title).toHaveText(names[0] ?? '')
  await panel.getByRole('link', { name: /^Ganze Seite/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[0] ?? '')
})

test('@desktop a course opens in a panel next to its season, with its own tabs @extended', async ({ page }) => {
  await page.goto('/office/season')
  await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  await panel.getByRole('tab', { name: /^Termine/ }).click()
  await expect(page).toHaveURL(/panel\.tab=lessons/)
  await expect(panel.getByRole('table')).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/panel-course.png` })
})

test('on a phone, a person opens as a separate page @extended', async ({ page }) => {
  await page.goto('/office/people')
  await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/office\/people\/\d+$/)
})

test('@desktop filters and columns are saved as a named view, selected, renamed and deleted @extended', async ({
  page,
}) => {
  await page.goto('/office/people')
  await page.getByLabel('Status').selectOption({ label: 'Beschäftigt' })
  await page.getByRole('button', { name: 'Ansicht', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Ansicht' })
  await dialog.getByRole('checkbox', { name: 'E-Mail' }).uncheck()
  await dialog.getByLabel('Als neue Ansicht speichern').fill('Belegschaft')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/view.png` })
  await dialog.getByLabel('Name der Ansicht').fill('Nur Belegschaft')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'E-Mail' })).toBeHidden()

  await page.goto('/office/people')
  await expect(page.getByRole('columnheader', { name: 'E-Mail' })).toBeVisible()
  await page.getByRole('link', { name: 'Nur Belegschaft' }).click()
  await expect(page.getByLabel('Status')).toHaveValue('1')
  await expect(page.getByRole('columnheader', { name: 'E-Mail' })).toBeHidden()
  await page.getByRole('button', { name: 'Ansicht', exact: true }).click()
  await dialog.getByRole('button', { name: '„Nur Belegschaft“ löschen' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Nur Belegschaft' })).toBeHidden()
})

/** On some days, the demo programme has fewer than two lessons. */
async function ensureTwoLessonsToday(portal: Portal): Promise<void> {
  const desk = await tokenOf(portal, { email: 'desk@demo.example', password: DEMO_PASSWORD })
  const { date, lessons = [] } = await portal.call(getToday, { token: desk })
  const { id: token } = await loginInstructor(portal)
  for (let count = lessons.filter(({ at }) => at.startsWith(date)).length; count < 2; count += 1)
    await addLessonToday(portal, await courseWithoutLessonToday(portal, token))
}

/** Two courses that need a room at the same time within a week, which is a task of the office. */
const importClash = (portal: Portal) =>
  importRows(
    portal,
    'courses.csv',
    [1, 2].map(() => ({
      number: `E2E-${randomUUID().slice(0, 6)}`,
      seasonId: '2',
      courseCategoryId: '3',
      name: 'Doppelt belegt',
      start: inDays(3),
      end: inDays(100),
      startTime: '05:00',
      endTime: '06:00',
      participants: '12',
      fee: '0',
      venue: 'Halle 1 am Tor 4',
    })),
  )

test('@desktop today’s courses open in a panel next to the tasks, with the keys j and k and the tab of the task @extended', async ({
  page,
  portal,
}) => {
  await ensureTwoLessonsToday(portal)
  await importClash(portal)
  await page.goto('/office')
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  const title = panel.getByRole('heading', { level: 2 }).first()
  const lessons = page.getByRole('table', { name: 'Termine heute' }).getByRole('rowheader').getByRole('link')
  await lessons.first().click()
  const [first, second] = [String(await lessons.first().textContent()), String(await lessons.nth(1).textContent())]
  expect(second).not.toBe(first)
  await expect(title).toContainText(first)
  await expect(page).toHaveURL(/\/office\?open=courses-\d+$/)
  await page.keyboard.press('j')
  await expect(title).toContainText(second)
  expect(await violationsInBothSchemes(page)).toEqual([])
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/panel-today.png` })
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(lessons.nth(1)).toBeFocused()

  const task = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Zu den Terminen' }) })
  const toLessons = task.first().getByRole('link', { name: 'Zu den Terminen' })
  await toLessons.click()
  await expect(panel.getByRole('tab', { name: /^Termine/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(toLessons).toBeFocused()
})

test('@desktop going back from a course opened in the panel returns to the person @extended', async ({ page }) => {
  await page.goto('/office/people?q=Brandt')
  const person = page.locator('main').getByRole('rowheader').getByRole('link').first()
  const name = String(await person.textContent())
  await person.click()
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  const title = panel.getByRole('heading', { level: 2 }).first()
  const course = panel.locator('[data-record^="courses-"]').first()
  const courseName = String(await course.textContent())
  await course.click()
  await expect(title).toContainText(courseName)
  await expect(panel).toBeFocused()
  await page.goBack()
  await expect(title).toHaveText(name)
})

test('@desktop people open in a panel next to the audit log and the permissions, and j stays in the column @extended', async ({
  page,
  portal,
}) => {
  const token = await tokenOf(portal, { email: 'desk@demo.example', password: DEMO_PASSWORD })
  const { items: people } = await portal.call(listOfficePeople, { query: { limit: '2' }, token })
  for (const { id: webUserId } of people) {
    const body = {
      actId: randomUUID(),
      preview: false,
      kind: 'change-person',
      webUserId,
      department: 'Versand',
    } as const
    expect((await portal.call(performAct, { body, token })).status).toBe('Ok')
  }
  // The portal's tasks write entries of other kinds at any time.
  await page.goto('/office/record?kind=change-person')
  const panel = page.getByRole('complementary', { name: 'Daneben geöffnet' })
  const title = panel.getByRole('heading', { level: 2 }).first()
  const link = (at: number) => page.getByRole('row').nth(at).getByRole('listitem').getByRole('link')
  await link(1).click()
  await expect(title).toHaveText(people[1]?.name ?? '')
  await page.keyboard.press('j')
  await expect(title).toHaveText(people[0]?.name ?? '')
  await page.keyboard.press('Escape')
  await expect(link(2)).toBeFocused()

  await page.goto('/office/rights')
  const holder = page.locator('main').getByRole('rowheader').getByRole('link').first()
  await holder.click()
  await expect(title).toHaveText(String(await holder.textContent()))
  await page.keyboard.press('Escape')
  await expect(holder).toBeFocused()
})
