import type { Page } from '@playwright/test'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { createCourse, loginInstructor, stayLoggedIn } from './attendance-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { createPerson, openAs, tokenOf } from './people-steps.ts'
import { inDays } from './programme-steps.ts'

const WORDS = {
  de: {
    cannot: /^Ich kann am .* nicht$/,
    free: 'Platz für diesen Termin freigeben',
    freed: /Ihr Platz ist für diesen Termin frei für andere/,
    place: 'Ein Platz für einen Termin ist frei',
    take: 'Platz nehmen',
    guest: 'Sie sind Gast',
    taken: /Ein Gast hat Ihren Platz für diesen Termin/,
    gone: 'Ihren Platz hat für diesen Termin schon ein Gast. Danach gehört er wieder Ihnen.',
    back: 'Ich komme doch',
    listed: 'Gast für diesen Termin',
    return: 'Platz zurückgeben',
  },
  en: {
    cannot: /^I can't come on .*$/,
    free: 'Free your place for this lesson',
    freed: /your place at this lesson is free for others/,
    place: 'A place at a lesson is free',
    take: 'Take the place',
    guest: 'You are a guest',
    taken: /a guest has your place at this lesson/,
    gone: 'A guest already has your place at this lesson. After it, the place is yours again.',
    back: 'I can come after all',
    listed: 'guest for this lesson',
    return: 'Return the place',
  },
}
const SIZES = { phone: { width: 390, height: 844 }, wide: { width: 1280, height: 900 } }

/** Saves pictures of this screen in both sizes, if PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return
  const before = page.viewportSize() ?? SIZES.phone
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-${size}.png` })
  }
  await page.setViewportSize(before)
}

for (const [language, size, tag] of [
  ['de', 'phone', ''],
  ['en', 'wide', ' @extended'],
] as const)
  test(`an owner frees a lesson, who waits takes it, and the instructor has the guest offline: ${language}, ${size}${tag}`, async ({
    browser,
    portal,
  }) => {
    const words = WORDS[language]
    const { id: courseId } = await createCourse(portal, { dates: [inDays(2), inDays(9)], participants: 1 })
    const [owner, waiting] = [await createPerson(portal), await createPerson(portal)]
    for (const person of [owner, waiting])
      await portal.call(bookCourse, { token: await tokenOf(portal, person), body: { id: courseId } })
    const options = { baseURL: portal.url, locale: 'de-DE', viewport: SIZES[size] }
    const contexts = await Promise.all([
      browser.newContext({ ...options, ...WITHOUT_WORKER }),
      browser.newContext({ ...options, ...WITHOUT_WORKER }),
      browser.newContext(options),
    ])
    for (const context of contexts)
      await context.addInitScript(chosen => localStorage.setItem('Language', chosen), language)
    const [own, guest] = [await contexts[0].newPage(), await contexts[1].newPage()]

    await openAs(own, portal, owner, '/home')
    const main = own.getByRole('main')
    await main.getByRole('button', { name: words.cannot }).click()
    await main.getByRole('button', { name: words.free }).click()
    await expect(main).toContainText(words.freed)
    await picture(own, `freed-${language}`)

    await openAs(guest, portal, waiting, `/course-details/${courseId}`)
    const place = guest.getByRole('main').getByRole('status', { name: words.place })
    await expect(place).toBeVisible()
    await picture(guest, `offered-${language}`)
    await place.getByRole('button', { name: words.take }).click()
    await expect(guest.getByRole('main').getByRole('status', { name: words.guest })).toBeVisible()
    await picture(guest, `guest-${language}`)

    // The owner's page does not know of the guest yet.
    await main.getByRole('button', { name: words.back }).click()
    await expect(own.getByText(words.gone)).toBeVisible()
    await expect(main).toContainText(words.taken)
    await picture(own, `taken-${language}`)

    const { id: token } = await loginInstructor(portal)
    const list = await stayLoggedIn(contexts[2], token)
    await list.goto(`/course-participation/${courseId}?date=${inDays(2)}`)
    const rows = list.getByRole('listitem').filter({ hasText: words.listed })
    await expect(rows).toHaveCount(1)
    await list.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await contexts[2].setOffline(true)
    await list.reload()
    await expect(rows).toHaveCount(1)
    await picture(list, `list-${language}`)

    await guest.getByRole('button', { name: words.return }).click()
    await expect(place).toBeVisible()
    for (const context of contexts) await context.close()
  })
