import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Act } from '#contract/acts/acts.ts'
import { getOfficeCourse, listOfficeCourses, performAct } from '#contract/office/office.ts'
import { getOfficePerson } from '#contract/office/people.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { germanDate, inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const dialogOf = (page: Page) => page.getByRole('dialog')
/** A field of the dialog; a star after its label marks it as required. */
const fieldOf = (page: Page, label: string) => dialogOf(page).getByLabel(new RegExp(`^${label}(?:\\s*\\*)?$`))
/** The cells of a row in the conflict table, which shows the other user's change beside one's own. */
const sidesOf = (page: Page, label: string) =>
  dialogOf(page).locator('tbody tr', { hasText: label }).getByRole('cell').allTextContents()

async function confirm(page: Page): Promise<void> {
  await dialogOf(page).locator('button[aria-disabled="false"]').click()
  await expect(dialogOf(page)).toBeHidden()
}

test('two office users edit the same course, lesson and person: each sees both changes, and none is lost @desktop @extended', async ({
  page: here,
  browser,
  baseURL,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const there = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await loginAs('desk', there)
  const act = async (body: object) =>
    (
      await portal.call(performAct, {
        token,
        body: { actId: randomUUID(), preview: false, reason: 'Probe', ...body } as Act,
      })
    ).result
  const { items } = await portal.call(listOfficeCourses, { token, query: { limit: '1' } })
  const { seasonId, courseCategoryId } = items[0] ?? { seasonId: 0, courseCategoryId: 0 }
  const number = `Z-${randomUUID().slice(0, 6)}`
  const [firstDay, secondDay] = [inDays(100), inDays(101)]
  const made = await act({
    kind: 'create-course',
    number,
    name: 'Zwei Tische',
    seasonId,
    courseCategoryId,
    participants: 10,
    start: firstDay,
    end: inDays(114),
    dates: [firstDay, inDays(107), inDays(114)],
    startTime: '06:00',
    endTime: '06:30',
    venue: 'Halle 1',
  })
  const id = Number(made.courseId)
  const read = () => portal.call(getOfficeCourse, { token, params: { id } })

  // Both users have the form open; the other one submits first.
  for (const page of [here, there]) {
    await page.goto(`/office/courses/${id}`)
    await page.getByRole('button', { name: 'Kurs ändern' }).click()
  }
  await fieldOf(there, 'Ort').fill('Halle 2')
  await fieldOf(there, 'Ende').fill('06:45')
  await confirm(there)
  await fieldOf(here, 'Plätze').fill('12')
  await expect(dialogOf(here)).toContainText('Inzwischen hat jemand anderes etwas geändert')
  await expect.poll(() => sidesOf(here, 'Ort')).toEqual(['Halle 1', 'Halle 2', ''])
  expect(await sidesOf(here, 'Plätze')).toEqual(['10', '10', '12'])
  await expect(fieldOf(here, 'Ort')).toHaveValue('Halle 2')
  await fieldOf(here, 'Ende').fill('06:40')
  await expect.poll(() => sidesOf(here, 'Ende')).toEqual(['06:30', '06:45', '06:40'])
  expect(await violationsInBothSchemes(here)).toEqual([])
  await here.setViewportSize({ width: 390, height: 844 })
  expect(await overflowOf(here)).toBe(0)
  await here.setViewportSize({ width: 1280, height: 900 })
  await confirm(here)
  expect((await read()).columns).toMatchObject({ participants: 12, venue: 'Halle 2', endTime: '06:40' })

  // One user moves a lesson while the other one cancels it.
  for (const page of [here, there]) {
    await page.goto(`/office/courses/${id}?tab=lessons`)
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Ändern' }).click()
  }
  await fieldOf(there, 'Tag').fill(secondDay)
  await confirm(there)
  await fieldOf(here, 'Beginn').fill('06:10')
  await expect.poll(() => sidesOf(here, 'Tag')).toEqual([germanDate(firstDay), germanDate(secondDay), ''])
  await confirm(here)
  expect((await read()).lessons[0]).toMatchObject({ date: secondDay, startTime: '06:10' })

  // A record that another user has deleted cannot be changed: an error is shown, and the form remains open.
  await here.getByRole('row').nth(2).getByRole('button', { name: 'Ausfallen lassen' }).click()
  await expect(dialogOf(here).locator('button[aria-disabled="false"]')).toBeVisible()
  await act({ kind: 'cancel-course', courseId: id })
  await dialogOf(here).locator('button[aria-disabled="false"]').click()
  await expect(dialogOf(here)).toContainText('Inzwischen hat jemand anderes etwas geändert')
  await dialogOf(here).getByRole('button', { name: 'Abbrechen' }).click()

  // A form that displays all data of a person submits only the fields that were changed.
  const person = { familyName: number, employeeStatus: 1, mobilePhone: '0171 1', city: 'Celle' }
  const { webUserId } = await act({ kind: 'create-person', ...person })
  for (const page of [here, there]) {
    await page.goto(`/office/people/${webUserId}`)
    await page.getByRole('button', { name: 'Angaben ändern' }).click()
  }
  await fieldOf(there, 'Mobiltelefon').fill('0171 2')
  await confirm(there)
  await fieldOf(here, 'Ort').fill('Peine')
  await expect.poll(() => sidesOf(here, 'Mobiltelefon')).toEqual(['0171 1', '0171 2', ''])
  await expect(fieldOf(here, 'Mobiltelefon')).toHaveValue('0171 2')
  await confirm(here)
  const { profile } = await portal.call(getOfficePerson, { token, params: { id: Number(webUserId) } })
  expect(profile).toMatchObject({ mobilePhone: '0171 2', city: 'Peine' })
  await there.context().close()
})
