import type { Page } from '@playwright/test'
import { listConsents } from '#contract/endpoints/consents.ts'
import type { Course } from '#contract/endpoints/courses.ts'
import { bookCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { createPerson, field, openAs, submit, tokenOf } from './people-steps.ts'
import { coursesOf } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const isHealth = ({ centralTestInstitute, directlyBookable, price }: Course) =>
  centralTestInstitute !== '' && directlyBookable && (price?.amount ?? 0) > 0
const consentBox = (page: Page) => page.getByRole('checkbox', { name: /^Ich willige ausdrücklich ein/ })
const section = (page: Page) => page.getByRole('region', { name: 'Einwilligungen' })

test('the first booking of a health course asks for consent only once', async ({ page, portal, person }) => {
  const token = await tokenOf(portal, person)
  const [first, second] = (await coursesOf(portal, token)).filter(isHealth)
  await openAs(page, portal, person, `/course-details/${first?.id}`)
  await page.getByRole('button', { name: /^Jetzt buchen · / }).click()
  const book = page.getByRole('button', { name: /^Verbindlich buchen für/ })
  await book.click()
  await expect(page.getByText('Bitte setzen Sie erst dieses Häkchen.')).toBeVisible()
  await expect(consentBox(page)).toBeFocused()
  await expect(consentBox(page)).toBeInViewport()
  expect(await violationsInBothSchemes(page, '[role=dialog]')).toEqual([])
  await consentBox(page).check()
  await book.click()
  await expect(page.getByRole('dialog', { name: 'Gebucht' })).toBeVisible()
  expect((await portal.call(listConsents, { token })).items).toMatchObject([
    { kind: 'attendance', version: '1', withdrawnAt: null },
  ])
  expect((await portal.call(listBookedCourses, { token })).map(({ id }) => id)).toContain(first?.id)

  await page.goto(`/course-details/${second?.id}`)
  await page.getByRole('button', { name: /^Jetzt buchen · / }).click()
  await expect(book).toBeVisible()
  await expect(consentBox(page)).toHaveCount(0)
})

test('the profile shows consents, and missing ones can be given there and existing ones withdrawn @extended', async ({
  page,
  portal,
}) => {
  const person = await createPerson(portal, 5, 3)
  const token = await tokenOf(portal, person)
  // Other API clients, and the office, book without this consent.
  const course = (await coursesOf(portal, token)).find(isHealth)
  await portal.call(bookCourse, { token, body: { id: course?.id ?? 0 } })
  await openAs(page, portal, person, '/edit')
  // The person was registered by a client that does not record the consent: the profile shows the current text.
  await expect(section(page)).toContainText('(Version 1 des Textes)')
  await expect(page.getByText(/Mit „Einwilligen und speichern“ willigen Sie ausdrücklich ein/)).toBeVisible()
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])
  await expect(section(page)).toContainText('Sie haben einen Gesundheitskurs und noch nicht eingewilligt.')
  await section(page).getByRole('button', { name: 'Einwilligen', exact: true }).click()
  await expect(section(page)).toContainText(/Eingewilligt am .*Version 1.*Eingewilligt am .*Version 1/)
  await submit(page).click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/edit')
  await expect(section(page)).toContainText('(Version 2 des Textes)')
  await expect(submit(page)).toHaveText('Speichern')

  const withdraw = (of: string) =>
    section(page)
      .getByRole('button', { name: `Einwilligung zurückziehen: ${of}` })
      .click()
  await withdraw('Versichertennummer')
  const question = page.getByRole('dialog', { name: 'Einwilligung zurückziehen?' })
  await expect(question).toContainText('Wir löschen Ihre Versichertennummer.')
  await question.getByRole('button', { name: 'Ja, zurückziehen' }).click()
  await expect(field(page, 'bkkNumber')).toHaveValue('')
  await expect(section(page)).toContainText(/Zurückgezogen am \d\d\.\d\d\.\d{4}/)
  await withdraw('Anwesenheit in Gesundheitskursen')
  await page
    .getByRole('dialog', { name: 'Einwilligung zurückziehen?' })
    .getByRole('button', { name: 'Ja, zurückziehen' })
    .click()
  await expect(section(page)).toContainText('Sie haben einen Gesundheitskurs und noch nicht eingewilligt.')
  expect((await portal.call(listConsents, { token })).items.map(({ withdrawnAt }) => withdrawnAt)).not.toContain(null)
  expect(await overflowOf(page)).toBe(0)
})
