import { findChromium } from './browsers.ts'
import { expect, test } from './fixtures.ts'

// Push messages require the full Chromium, not the headless shell.
test.use({ launchOptions: { executablePath: (await findChromium()) ?? undefined } })

test('push messages are shown, duplicates replace each other, and invalid ones are harmless @extended', async ({
  page,
  portal,
  context,
}) => {
  await context.grantPermissions(['notifications'], { origin: portal.url })
  await page.goto('/faq')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const browser = await context.newCDPSession(page)
  const registered = new Promise<string>(resolve => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration) resolve(registration.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  const registrationId = await registered
  const push = (data: unknown) =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin: portal.url,
      registrationId,
      data: typeof data === 'string' ? data : JSON.stringify(data),
    })
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map(({ title, data }) => [title, data])
    })
  const eve = { title: 'Morgen um 18:00 Uhr', body: 'Ihr nächster Termin.', path: '/course-details/1', tag: 'a 1' }
  await push(eve)
  await push(eve)
  await expect.poll(shown).toEqual([['Morgen um 18:00 Uhr', '/course-details/1']])
  await push({ ...eve, path: 'https://elsewhere.example/', tag: 'a 2' })
  await push('no JSON')
  await expect.poll(async () => (await shown()).map(([, path]) => path).sort()).toEqual(['/', '/course-details/1'])
})
