import { login, logout } from '#contract/endpoints/session.ts'
import { DEMO_PASSWORD, emailOf, expect } from '../fixtures.ts'
import { test } from './engine-fixture.ts'
import { goBack, see, start, until } from './tab-steps.ts'

const ATTEMPTS = 5

test('a page from the back/forward cache shows the login and logout that happened elsewhere @extended', async ({
  portal,
  gate,
  engine,
  launch,
}) => {
  const enter = (account: 'employee' | 'pensioner') =>
    portal.call(login, { body: { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: true } })
  const { tab, openTab } = await launch()
  await start(tab, gate.url, null)
  const other = await openTab()
  await other.goto(`${gate.url}/faq`)
  const logIn = (token: string) => other.evaluate(value => localStorage.setItem('SessionToken', value), token)
  /** Resolves to whether the page came from the cache. */
  const leaveAndReturn = async (change: () => Promise<unknown>) => {
    await tab.evaluate(() => document.documentElement.setAttribute('data-left', ''))
    await tab.goto('about:blank')
    await change()
    await goBack(tab)
    await until(tab, 'the page', () => location.pathname === '/home')
    return tab.evaluate(() => document.documentElement.hasAttribute('data-left'))
  }
  const returnTwice = async () => {
    const [first, second] = [await enter('employee'), await enter('pensioner')]
    await logIn(first.id)
    await tab.goto(`${gate.url}/home`)
    await see(tab, new RegExp(first.givenName))
    const afterLogin = await leaveAndReturn(() => logIn(second.id))
    await see(tab, new RegExp(second.givenName))
    const afterLogout = await leaveAndReturn(() => portal.call(logout, { token: second.id }))
    await until(
      tab,
      'the page of a visitor',
      name => !document.querySelector('main')?.innerText.includes(name),
      second.givenName,
    )
    return afterLogin && afterLogout
  }
  // Only Chromium uses its back/forward cache while it is driven, and removes a page from it now and then.
  for (let attempt = 1; !(await returnTwice()) && engine.name === 'chromium'; attempt++)
    expect(attempt, 'attempts without the back/forward cache').toBeLessThan(ATTEMPTS)
})
