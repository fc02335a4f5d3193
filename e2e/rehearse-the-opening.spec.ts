import { login } from '#contract/endpoints/session.ts'
import { listOfficeSeasons } from '#contract/office/programme.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { performAtDesk } from './attendance-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

test('a draft is rehearsed with the demand of an earlier season, and a course too full gets a second one @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const { id: token } = await portal.call(login, {
    body: { userName: emailOf('desk'), password: DEMO_PASSWORD, keepSession: false },
  })
  const { items } = await portal.call(listOfficeSeasons, { token })
  const season = items.filter(({ draft }) => !draft).toSorted((a, b) => b.waiting - a.waiting)[0]
  const result = await performAtDesk(portal, {
    kind: 'copy-season',
    seasonId: season?.id,
    name: 'Übernächste',
    name2: 'After next',
    shortcut: 'XX',
    startsAt: inDays(400),
    endsAt: inDays(500),
    bookableFrom: `${inDays(380)}T08:00`,
    viewableFrom: `${inDays(370)}T08:00`,
  })
  await loginAs('desk')
  await page.goto(`/office/season?season=${result.seasonId}`)
  const rehearsal = page.getByRole('region', { name: 'Öffnung proben' })
  await rehearsal.getByLabel('Anfragen aus').selectOption({ label: season?.name ?? '' })
  await rehearsal.getByRole('button', { name: 'Proben' }).click()
  await expect(rehearsal.getByText(/^\d[\d.]* Anfragen von \d[\d.]* Personen\. .*voll/)).toBeVisible()
  await expect(rehearsal.getByRole('table')).toContainText('XX')
  expect(await violationsInBothSchemes(page, 'main')).toEqual([])
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    expect(await overflowOf(page)).toBe(0)
    await rehearsal.scrollIntoViewIfNeeded()
  }
  // Nothing was booked.
  expect(
    (await portal.call(listOfficeSeasons, { token })).items.find(({ id }) => id === result.seasonId),
  ).toMatchObject({
    booked: 0,
    waiting: 0,
  })
  await rehearsal.getByRole('button', { name: 'Zweiten Kurs anlegen' }).first().click()
  await expect(page.getByRole('dialog').getByLabel('Name (Deutsch)')).not.toHaveValue('')
})
