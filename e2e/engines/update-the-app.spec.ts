import { login } from '#contract/endpoints/session.ts'
import { DEMO_PASSWORD, emailOf, expect } from '../fixtures.ts'
import { test } from './engine-fixture.ts'
import { press, see, start, until } from './tab-steps.ts'

test('a new version is offered, can be postponed, and is activated on request @extended', async ({ gate, launch }) => {
  const { tab } = await launch()
  await start(tab, gate.url, null)
  await tab.goto(`${gate.url}/faq`)
  const askForUpdate = () =>
    tab.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      await registration?.update()
    })
  const isOffered = () => document.querySelector('section[aria-label="Neue Version bereit."]') !== null
  await until(tab, 'the worker in charge', () => navigator.serviceWorker.controller !== null)
  expect(await tab.evaluate(isOffered)).toBe(false)

  gate.version = 1
  await askForUpdate()
  await press(tab, 'section button', /^Später$/)
  expect(await tab.evaluate(isOffered)).toBe(false)

  for (const version of [2, 3]) {
    gate.version = version
    await askForUpdate()
    await tab.evaluate(() => document.documentElement.setAttribute('data-old', ''))
    await press(tab, 'section button', /^Jetzt aktualisieren$/)
    await until(tab, 'the page of the new version', () => {
      const isNew = !document.documentElement.hasAttribute('data-old')
      return isNew && document.querySelector('main h1') !== null
    })
    expect(await tab.evaluate(isOffered)).toBe(false)
    await until(tab, 'no version that waits', async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return registration?.waiting === null && registration.active === navigator.serviceWorker.controller
    })
  }
})

test('a screen whose files only the new version has says so, beside the offer of that version @extended', async ({
  portal,
  gate,
  launch,
}) => {
  const body = { userName: emailOf('desk'), password: DEMO_PASSWORD, keepSession: true }
  const { id: token } = await portal.call(login, { body })
  // The service worker does not store the desk.
  gate.missing = /^\/assets\/office\//
  const { tab } = await launch()
  await start(tab, gate.url, token)
  await tab.goto(`${gate.url}/faq`)
  await until(tab, 'the worker in charge', () => navigator.serviceWorker.controller !== null)
  gate.version = 1
  await tab.goto(`${gate.url}/office`)
  await see(tab, /Diese Seite ist noch nicht hier/)
  await tab.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
    document.documentElement.setAttribute('data-old', '')
  })
  gate.missing = null
  await press(tab, 'section button', /^Jetzt aktualisieren$/)
  await until(tab, 'the desk', () => !document.documentElement.hasAttribute('data-old') && /Heute/.test(document.title))
})
