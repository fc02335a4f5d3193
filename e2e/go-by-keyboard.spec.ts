import { enterAsInstructor, openList, tickButtons } from './attendance-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { expectArrival, press, tabTo } from './keyboard-steps.ts'
import { holdBack, spareData } from './network-steps.ts'
import { tokenOf } from './people-steps.ts'
import { coursesOf } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

test('a visitor finds a course, opens it, expands its dates and shares it @extended', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-write'])
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.goto('/home')
  await tabTo(page, page.getByRole('searchbox'))
  await page.keyboard.type('rücken')
  await page.keyboard.press('Enter')
  await expectArrival(page, 'Kurse')

  const filter = page.getByRole('button', { name: /^Filter(?: ·|$)/ })
  await press(page, filter)
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  await press(page, sheet.getByRole('checkbox', { name: /^Nur mit freien Plätzen/ }), 'Space')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(filter).toBeFocused()
  await expect(filter).toHaveText('Filter · 1')
  await press(page, page.getByRole('combobox', { name: 'Reihenfolge' }), 'ArrowDown')

  await tabTo(page, page.getByRole('list', { name: 'Kursliste' }).getByRole('link').first())
  // The list may still be sorting; only the focus matters here.
  const name = await page.evaluate(() => document.activeElement?.textContent ?? 'nothing')
  await page.keyboard.press('Enter')
  await expectArrival(page, name)
  await press(page, page.getByRole('button', { name: 'Teilen' }))
  await expect(page.getByText('Der Link ist kopiert.')).toBeVisible()
  const more = page.getByRole('button', { name: 'mehr Termine' })
  await press(page, more)
  await expect(page.getByRole('button', { name: 'weniger Termine' })).toBeFocused()
})

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('a visitor opens FAQ answers, views photos, saves a flyer and changes the language @extended', async ({
    page,
    context,
  }) => {
    await spareData(page)
    await page.goto('/contact')
    await expect(page.getByRole('heading', { level: 1, name: 'Kontakt' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Zum Inhalt springen' })).toBeFocused()
    const menu = page.getByRole('button', { name: 'Menü' })
    const drawer = page.getByRole('dialog')
    await press(page, menu)
    await expect(drawer).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
    await page.keyboard.press('Enter')
    await press(page, drawer.getByRole('link', { name: 'Häufige Fragen' }))
    await expectArrival(page, 'Häufige Fragen')
    const question = page.getByRole('button', { name: 'Wer darf mitmachen?' })
    await press(page, question)
    await expect(question).toHaveAttribute('aria-expanded', 'true')

    await page.goto('/photo-album')
    await press(page, page.getByRole('link', { name: /Sporttag am Tor 4/ }))
    await expectArrival(page, 'Sporttag am Tor 4')
    const opened = context.waitForEvent('page')
    await press(page, page.getByRole('main').getByRole('listitem').first().getByRole('link'))
    await (await opened).close()
    await page.bringToFront()
    await page.goto('/photo-album/1')
    await press(page, page.getByRole('link', { name: 'Zurück zu den Alben' }))
    await expectArrival(page, 'Fotogalerie')

    await page.goto('/flyers')
    const keep = page.getByRole('button', { name: 'Offline behalten: Gesund durch den Winter' })
    await press(page, keep)
    await expect(keep).toHaveAttribute('aria-pressed', 'true')
    await expect(keep).toBeFocused()
    await page.goto('/flyers')
    await press(page, page.getByRole('button', { name: 'Switch to English' }))
    await expectArrival(page, 'Sport that fits your day')
  })
})

test('a user logs in from a course, books it and cancels', async ({ page, portal }) => {
  const token = await tokenOf(portal, { email: emailOf('pensioner'), password: DEMO_PASSWORD })
  const course = (await coursesOf(portal, token)).find(c => c.directlyBookable && !c.running)
  await page.goto(`/course-details/${course?.id}`)
  await press(page, page.getByRole('main').getByRole('link', { name: 'Anmelden' }))
  await expectArrival(page, 'Anmelden')
  await tabTo(page, page.getByLabel('E-Mail'))
  await page.keyboard.type(emailOf('pensioner'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await expectArrival(page, String(course?.name))

  await expect(page.getByRole('button', { name: 'Jetzt buchen' })).toBeEnabled()
  await press(page, page.getByRole('button', { name: 'Jetzt buchen' }))
  if (course?.centralTestInstitute) await press(page, page.getByRole('checkbox', { name: /^Ich willige/ }), 'Space')
  if ((course?.price?.amount ?? 0) > 0) await press(page, page.getByRole('button', { name: /^Verbindlich buchen für/ }))
  await expect(page.getByRole('dialog', { name: 'Gebucht' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectArrival(page, String(course?.name))
  const cancel = page.getByRole('button', { name: 'Stornieren' })
  await press(page, cancel)
  const done = page.getByRole('dialog', { name: 'Storniert' })
  await press(page, done.getByRole('button', { name: 'OK' }))
  await expect(done).toBeHidden()
  await expectArrival(page, String(course?.name))
  await expect(page.getByRole('button', { name: 'Jetzt buchen' })).toBeEnabled()
})

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('an instructor opens the attendance list, records attendance, and dismisses the closing dialog @extended', async ({
    page,
    portal,
  }) => {
    const { courseId } = await enterAsInstructor(portal, page.context(), 1)
    await page.goto('/courses/instructor')
    await press(page, page.getByRole('link', { name: 'Anwesenheit erfassen' }).first())
    await expect(page).toHaveURL(/course-participation/)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await openList(page, courseId)
    const tick = tickButtons(page).first()
    const before = String(await tick.getAttribute('aria-label'))
    await press(page, tick, 'Space')
    await expect(tick).not.toHaveAccessibleName(before)
    await expect(tick).toBeFocused()
    await press(page, page.getByText('Mehr', { exact: true }))
    const complete = page.getByRole('button', { name: 'Anwesenheit abschließen' })
    await press(page, complete)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(complete).toBeFocused()
  })
})

test('the heading keeps the focus when the attendance list is loaded late @extended', async ({ page, loginAs }) => {
  await loginAs('instructor')
  const letThrough = await holdBack(page, '**/api/course/*/dates')
  await page.goto('/courses/instructor')
  await press(page, page.getByRole('link', { name: 'Anwesenheit erfassen' }).first())
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeFocused()
  letThrough()
  await expect(tickButtons(page).first()).toBeVisible()
  await expect(heading).toBeFocused()
})

test('on wide screens the menus open, close and return the focus; the login box logs in @desktop @extended', async ({
  page,
}) => {
  await page.goto('/contact')
  const group = page.getByRole('button', { name: 'Angebote' })
  await press(page, group)
  await tabTo(page, page.getByRole('link', { name: 'Kursprogramm' }))
  await page.keyboard.press('Escape')
  await expect(group).toBeFocused()
  await expect(group).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('link', { name: 'Kursprogramm' }))
  await expectArrival(page, 'Kursprogramm')

  const login = page.getByRole('button', { name: 'Anmelden', exact: true }).first()
  await press(page, login)
  const email = page.getByLabel('E-Mail')
  await tabTo(page, email)
  await page.keyboard.press('Escape')
  await expect(login).toBeFocused()
  await expect(email).toBeHidden()
  await page.keyboard.press('Enter')
  await tabTo(page, email)
  await page.keyboard.type(emailOf('external'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await expectArrival(page, /Schön, dass Sie da sind/)
  const corner = page.getByRole('banner').getByRole('button', { expanded: false }).last()
  await press(page, corner)
  await press(page, page.getByRole('link', { name: 'Meine Kurse' }))
  await expectArrival(page, /^Hallo/)
})
