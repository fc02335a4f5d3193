import { randomUUID } from 'node:crypto'
import { getOfficeCourse, listOfficeCourses, performAct } from '#contract/office/office.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'
import { DEMO_PASSWORD } from './portal.ts'
import { inDays } from './programme-steps.ts'

test.use({ ...WITHOUT_WORKER, account: 'desk' })

const DESK = { email: 'desk@demo.example', password: DEMO_PASSWORD }

test('single-key shortcuts navigate the office UI, except while typing @desktop @extended', async ({ page }) => {
  await page.goto('/office')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Heute')
  // The content starts at the top of the window, without the visitors' header and banners.
  await expect(page.getByRole('banner')).toHaveCount(0)
  expect((await heading.boundingBox())?.y).toBeLessThan(40)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('g pProgramm')
  await page.keyboard.press('Escape')
  await page.keyboard.type('gu')
  await expect(page).toHaveURL(/\/office\/people$/)
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await page.keyboard.type('jj')
  await expect(page.getByRole('rowheader').nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('gp')
  await expect(page.getByRole('searchbox')).toHaveValue('gp')
  await expect(page).toHaveURL(/\/office\/people/)
})

test('the command palette accepts synonyms and typing errors @desktop', async ({ page }) => {
  await page.goto('/office')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Heute')
  await page.keyboard.press('Control+k')
  const found = page.getByRole('dialog').getByRole('listitem')
  for (const [typed, expected] of [
    ['krank', 'Kursleitung fällt aus'],
    ['sick', 'Kursleitung fällt aus'],
    ['zusamen', 'Personen zusammenführen'],
    ['merge', 'Personen zusammenführen'],
  ] as const) {
    await page.getByRole('dialog').getByRole('searchbox').fill(typed)
    await expect(found.filter({ hasText: expected }).first()).toBeVisible()
  }
})

test('the user who cancelled a booking is found in two taps from the search', async ({ page, portal }) => {
  const token = await tokenOf(portal, DESK)
  const { items } = await portal.call(listOfficeCourses, { query: { limit: '500' }, token })
  const course = items.find(({ cancelled, booked, end }) => !cancelled && booked > 1 && end > inDays(14))
  const { booked } = await portal.call(getOfficeCourse, { params: { id: course?.id ?? 0 }, token })
  const person = booked[0]
  const act = {
    actId: randomUUID(),
    kind: 'cancel-booking',
    courseId: course?.id ?? 0,
    webUserId: person?.webUserId ?? 0,
    charge: 'none',
    reason: 'Auf Wunsch',
    preview: false,
  } as const
  await portal.call(performAct, { body: act, token })
  await page.goto(`/office/people?q=${encodeURIComponent(person?.name ?? '')}`)
  await page
    .getByRole('link', { name: person?.name ?? '', exact: true })
    .first()
    .click()
  await page.getByRole('link', { name: 'Protokoll', exact: true }).filter({ visible: true }).last().click()
  const row = page.getByRole('row', { name: /Buchung storniert/ }).first()
  await expect(row).toContainText('Dora Lindner')
  await expect(row).toContainText(course?.number ?? '')
  await expect(row).toContainText(person?.name ?? '')
})
