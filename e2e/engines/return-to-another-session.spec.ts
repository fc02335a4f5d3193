import { login, logout } from '#contract/endpoints/session.ts'
import { DEMO_PASSWORD, emailOf, expect } from '../fixtures.ts'
import { test } from './engine-fixture.ts'
import { goBack, see, start, until } from './tab-steps.ts'

test('a page from the back/forward cache shows the login and logout that happened elsewhere @extended', async ({
  portal,
  gate,
  engine,
  launch,
}) => {
  const enter = (account: 'employee' | 'pensioner') =>
    portal.call(login, { body: { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: true } })
  const [first, second] = [await enter('employee'), await enter('pensioner')]
  const { tab, openTab } = await launch()
  await start(tab, gate.url, first.id)
  const other = await openTab()
  await other.goto(`${gate.url}/faq`)
  const leaveAndReturn = async (change: () => Promise<unknown>) => {
    await tab.evaluate(() => document.documentElement.setAttribute('data-left', ''))
    await tab.goto('about:blank')
    await change()
    await goBack(tab)
    await until(tab, 'the page', () => location.pathname === '/home')
    // Only Chromium uses its back/forward cache while it is driven.
    if (engine.name === 'chromium')
      expect(await tab.evaluate(() => document.documentElement.hasAttribute('data-left'))).toBe(true)
  }
  await tab.goto(`${gate.url}/home`)
  await see(tab, new RegExp(first.givenName))

  await leaveAndReturn(() => other.evaluate(token => localStorage.setItem('SessionToken', token), second.id))
  await see(tab, new RegExp(second.givenName))

  await leaveAndReturn(() => portal.call(logout, { token: second.id }))
  await until(
    tab,
    'the page of a visitor',
    name => !document.querySelector('main')?.innerText.includes(name),
    second.givenName,
  )
})
