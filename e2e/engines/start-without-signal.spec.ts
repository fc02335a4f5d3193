import { loginInstructor } from '../attendance-steps.ts'
import { expect } from '../fixtures.ts'
import { patience } from '../patience.ts'
import { coursesOf, listKept, PROGRAMME } from '../programme-steps.ts'
import { test } from './engine-fixture.ts'
import { see, start, until } from './tab-steps.ts'

test('after one visit the app starts offline: start page, programme, any course and any URL @not-chromium @extended', async ({
  portal,
  gate,
  engine,
  launch,
}) => {
  const { id: token } = await loginInstructor(portal)
  const [course] = (await coursesOf(portal, token)).slice(20)
  let browser = await launch()
  await start(browser.tab, gate.url, null)
  await browser.tab.goto(`${gate.url}/courses`)
  await see(browser.tab, /\d+ Kurse/)
  await expect
    .poll(() => browser.tab.evaluate(listKept), { timeout: patience * 20_000 })
    .toEqual(expect.arrayContaining(PROGRAMME))

  gate.isOpen = false
  if (engine.keepsProfile) {
    await browser.close()
    browser = await launch()
  }
  const { tab } = browser
  await tab.goto(`${gate.url}/home`)
  await until(tab, 'the start page', () => document.querySelector('main h1') !== null)
  await tab.goto(`${gate.url}/courses`)
  await see(tab, /\d+ Kurse/)
  await see(tab, /Stand \d\d:\d\d/)
  await tab.goto(`${gate.url}/course-details/${course?.id}`)
  await see(tab, /Gut zu wissen/)
  expect(await tab.evaluate(() => document.querySelector('h1')?.textContent)).toBe(course?.name)
  await tab.goto(`${gate.url}/register1`)
  await until(tab, 'the form', () => document.querySelector('main input[type=password]') !== null)
})
