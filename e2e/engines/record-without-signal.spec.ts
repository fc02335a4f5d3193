import { setTimeout as sleep } from 'node:timers/promises'
import { loginInstructor, presentAtServer, runningCourse } from '../attendance-steps.ts'
import { expect } from '../fixtures.ts'
import { openList, tickAtOnce, unrecorded, untilListed, untilTicked } from './attendance-list-steps.ts'
import { test } from './engine-fixture.ts'
import { signalTree } from './process-steps.ts'
import { goBack, press, start, until } from './tab-steps.ts'

const HERE = 'auf diesem Gerät'
const SUSPENDED_MS = 2_000
/**
 * Firefox writes localStorage to disk after five seconds, including the session data that the app stores at its start.
 */
const STORED_MS = 7_000

test('attendance changes made offline survive reloads, back navigation and suspension, and are sent on reconnecting @extended', async ({
  portal,
  gate,
  launch,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 0)
  const before = await presentAtServer(portal, token, courseId)
  const browser = await launch()
  const { tab } = browser
  const list = `${gate.url}/course-participation/${courseId}`
  await start(tab, gate.url, token)
  await openList(tab, list)

  gate.isOpen = false
  await openList(tab, list)
  const [first = '', second = '', third = '', ...others] = await unrecorded(tab)
  for (const name of [first, second, third]) await press(tab, 'main li button', new RegExp(`^${name}: nicht erfasst$`))
  await untilTicked(tab, [first, second, third], HERE)

  // The page is left during an attempt to send, and restored by the browser's back button.
  await tab.goto(`${gate.url}/courses`)
  await goBack(tab)
  await until(tab, 'the list', path => location.pathname === path, new URL(list).pathname)
  await untilTicked(tab, [first, second, third], HERE)

  const inMidWrite = others.slice(0, 4)
  await tickAtOnce(tab, inMidWrite)
  await signalTree(browser.pid, 'SIGSTOP')
  await sleep(SUSPENDED_MS)
  await signalTree(browser.pid, 'SIGCONT')
  const names = [first, second, third, ...inMidWrite]
  await untilTicked(tab, names, HERE)
  const other = await browser.openTab()
  await openList(other, list)
  await untilTicked(other, names, HERE)
  expect(await presentAtServer(portal, token, courseId)).toEqual(before)

  gate.isOpen = true
  await press(tab, 'button', /^Senden$/)
  for (const each of [tab, other]) await untilTicked(each, names, 'bestätigt')
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
})

test('attendance changes shown as stored survive a browser that is suspended and killed during a write @extended', async ({
  portal,
  gate,
  engine,
  launch,
}) => {
  test.skip(!engine.keepsProfile, `${engine.name} forgets everything when it is driven and ends`)
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 1)
  const list = `${gate.url}/course-participation/${courseId}`
  // The login is stored earlier: Firefox writes localStorage to disk only after five seconds, or when it exits.
  const before = await launch()
  await start(before.tab, gate.url, token)
  await before.close()
  const browser = await launch()
  await openList(browser.tab, list)
  await sleep(STORED_MS)
  gate.isOpen = false
  const names = await unrecorded(browser.tab)
  const [stored, inMidWrite] = [names.slice(0, 4), names.slice(4, 8)]
  await tickAtOnce(browser.tab, stored)
  await untilTicked(browser.tab, stored, HERE)
  await tickAtOnce(browser.tab, inMidWrite)
  await signalTree(browser.pid, 'SIGSTOP')
  await signalTree(browser.pid, 'SIGKILL')

  const again = await launch()
  await again.tab.goto(list)
  await untilListed(again.tab)
  // The change is waiting, or being sent by the next attempt.
  await untilTicked(again.tab, stored, '')
  gate.isOpen = true
  // The interrupted attempt may have reached the server, so that nothing remains to be sent.
  await again.tab.goto(list)
  await expect.poll(() => presentAtServer(portal, token, courseId)).toEqual(expect.arrayContaining(stored))
})
