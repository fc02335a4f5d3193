import { writeFile } from 'node:fs/promises'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { logIn, openAs, tokenOf } from './people-steps.ts'
import { coursesOf } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

test('a booked course can be downloaded as a calendar file, and subscribed to as a feed that can be revoked @extended', async ({
  context,
  page,
  portal,
  person,
}) => {
  const courses = await coursesOf(portal, await tokenOf(portal, person))
  const course = courses.find(c => c.directlyBookable && c.price?.amount === 0 && !c.running)
  await page.addInitScript(() => {
    Object.assign(navigator, { canShare: () => true })
  })
  await openAs(page, portal, person, `/course-details/${course?.id}`)
  await page.getByRole('button', { name: 'Jetzt buchen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Gebucht' })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'In den Kalender' }).click()
  expect((await download).suggestedFilename()).toBe(`${course?.name}.ics`.replace(/[\\/:*?"<>|]+/g, '-'))
  const share = dialog.getByRole('button', { name: 'Weitersagen' })
  await page.evaluate(() => {
    Object.assign(navigator, { share: async (data: ShareData) => Object.assign(window, { shared: data }) })
  })
  const sharedPicture = () =>
    page.evaluate(async () => {
      const { files } = (window as unknown as { shared?: ShareData }).shared ?? {}
      return files?.[0] ? Array.from(new Uint8Array(await files[0].arrayBuffer())) : []
    })
  // The shared data include a picture of the course.
  await expect(async () => {
    await share.click()
    expect((await sharedPicture()).length).toBeGreaterThan(5_000)
  }).toPass()
  await writeFile(test.info().outputPath('shared.png'), Buffer.from(await sharedPicture()))
  await page.screenshot({ path: test.info().outputPath('booked.png') })
  await expect(dialog.getByRole('switch', { name: 'Am Vorabend erinnern' })).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').getByRole('button', { name: 'In den Kalender' })).toBeVisible()

  await page.goto('/reminders')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Kalender verbinden' }).click()
  const address = page.getByLabel('Adresse für Ihren Kalender')
  await expect(address).toHaveValue(/\/api\/calendar\/[\w-]{43}\.ics$/)
  const url = await address.inputValue()
  await expect(page.getByText('Kalender-Link kopiert')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  const feed = async () => (await page.request.get(url)).text()
  expect((await feed()).match(/BEGIN:VEVENT/g)).toHaveLength(course?.dates.length ?? 0)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('reminders.png'), fullPage: true })
  await page.getByRole('button', { name: 'Abo beenden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Abo beenden' }).click()
  await expect(page.getByRole('button', { name: 'Kalender verbinden' })).toBeVisible()
  expect((await page.request.get(url)).status()).toBe(404)
})

test('reminder settings are saved, and a course that is not open for booking yet can be followed @extended', async ({
  page,
  portal,
  person,
}) => {
  const courses = await coursesOf(portal, await tokenOf(portal, person))
  const later = courses.find(c => !c.seasonBookable)
  await openAs(page, portal, person, `/course-details/${later?.id}`)
  const follow = page.getByRole('button', { name: /^(Kurs folgen|Sie folgen)$/ })
  await follow.click()
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  // How the opening is announced is chosen here, not on another page.
  const opening = page.getByRole('group', { name: 'Eine Stunde vor dem Buchungsstart' })
  await expect(opening).toContainText('Noch keine Erinnerung gewählt.')
  const untilSaved = () =>
    page.waitForResponse(answer => answer.url().endsWith('/api/reminders') && answer.request().method() === 'PUT')
  const chosen = untilSaved()
  await opening.getByRole('checkbox', { name: 'E-Mail' }).check()
  await chosen
  await page.screenshot({ path: test.info().outputPath('follow.png') })

  await page.goto('/reminders')
  const eve = page.getByRole('group', { name: 'Am Abend vor einem Termin' })
  const saved = untilSaved()
  await eve.getByRole('checkbox', { name: 'E-Mail' }).check()
  await saved
  await page.reload()
  await expect(eve.getByRole('checkbox', { name: 'E-Mail' })).toBeChecked()
  await expect(eve.getByRole('checkbox', { name: 'Push' })).not.toBeChecked()
  const followed = page.getByRole('button', { name: `Sie folgen: ${later?.name}` })
  await expect(followed).toHaveAttribute('aria-pressed', 'true')
  await followed.click()
  await expect(followed).toBeHidden()
})

test('the next season can be followed with one tap next to its countdown @extended', async ({
  page,
  portal,
  person,
}) => {
  await openAs(page, portal, person, '/home')
  const follow = page.getByRole('main').getByRole('button', { name: /^Saison folgen: / })
  await follow.click()
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  expect(await violationsInBothSchemes(page)).toEqual([])
  const opening = page.getByRole('region', { name: 'Mein Plan' }).locator('a[href^="/courses?season="]')
  await expect(opening).toBeVisible()
  await follow.click()
  await expect(opening).toBeHidden()
})

test('a category and an upcoming season can be followed next to their filter, also after logging in from there @extended', async ({
  page,
  person,
}) => {
  await page.goto('/courses?category=1&season=4')
  const season = page.getByRole('main').getByRole('link', { name: 'Saison folgen' })
  await expect(season).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Kategorie folgen' }).click()
  await logIn(page, person)
  await expect(page).toHaveURL(/\/courses\?/)
  for (const name of ['Kategorie folgen', 'Saison folgen']) {
    const follow = page.getByRole('button', { name })
    await follow.click()
    await expect(follow).toHaveAttribute('aria-pressed', 'true')
  }
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.goto('/home')
  await expect(page.getByRole('region', { name: 'Mein Plan' }).getByRole('link', { name: 'Frühjahr' })).toBeVisible()
})
