import { loginInstructor, presentAtServer, runningCourse } from '../attendance-steps.ts'
import { expect } from '../fixtures.ts'
import { openList, tickAtOnce, unrecorded, untilListed, untilTicked } from './attendance-list-steps.ts'
import type { Tab } from './driver.ts'
import { test } from './engine-fixture.ts'
import { press, start, until } from './tab-steps.ts'

const HERE = 'auf diesem Gerät'

const untilControlled = (tab: Tab) =>
  until(tab, 'the worker in charge', () => navigator.serviceWorker.controller !== null)

/** Waits until the new version is installed; the old one remains in charge. */
const untilWaiting = (tab: Tab) =>
  until(tab, 'the version that waits', async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    if (!registration?.waiting) await registration?.update()
    return Boolean(registration?.waiting)
  })

/** Accepts the update, and waits until the page of the new version shows the list. */
async function update(tab: Tab): Promise<void> {
  await tab.evaluate(() => document.documentElement.setAttribute('data-old', ''))
  await press(tab, 'section button', /^Jetzt aktualisieren$/)
  await until(tab, 'the page of the new version', () => !document.documentElement.hasAttribute('data-old'))
  await until(tab, 'no version that waits', async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.waiting === null && registration.active === navigator.serviceWorker.controller
  })
}

/** Without the mouse, because WebKit's driver has none in a tab that is not shown. */
const tick = async (tab: Tab, names: string[]) => {
  await tickAtOnce(tab, names)
  await untilTicked(tab, names, HERE)
}

/** Stores the queue as version 1.2.0 did: no journal, no id of the database, no names of courses. */
const ageQueue = (tab: Tab) =>
  tab.evaluate(async () => {
    for (const key of ['AttendanceUnsent', 'AttendanceLastDoneAt']) localStorage.removeItem(key)
    const answer = <T>(asked: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
    const database = await answer(indexedDB.open('attendance'))
    const transaction = database.transaction(['entries', 'sender'], 'readwrite')
    transaction.objectStore('sender').delete('generation')
    const entries = transaction.objectStore('entries')
    const [keys, rows] = await Promise.all([answer(entries.getAllKeys()), answer(entries.getAll())])
    for (const [index, { about: _, ...row }] of rows.entries()) entries.put(row, keys[index])
    await new Promise(resolve => {
      transaction.oncomplete = resolve
    })
    database.close()
    return rows.length
  })

test('ticks made offline in two tabs survive an update that one of them accepts offline @extended', async ({
  portal,
  gate,
  launch,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 0)
  const before = await presentAtServer(portal, token, courseId)
  const { tab, openTab } = await launch()
  const list = `${gate.url}/course-participation/${courseId}`
  await start(tab, gate.url, token)
  await openList(tab, list)
  const other = await openTab()
  await openList(other, list)
  for (const each of [tab, other]) await untilControlled(each)
  gate.version = 1
  await untilWaiting(tab)

  gate.isOpen = false
  const [first = '', second = '', third = '', fourth = ''] = await unrecorded(tab)
  await tick(tab, [first, second])
  await tick(other, [third])
  await update(tab)
  await untilListed(tab)
  for (const each of [tab, other]) await untilTicked(each, [first, second, third], HERE)
  // The page of the old version continues to work beside the new one.
  await tick(other, [fourth])
  await untilTicked(tab, [fourth], HERE)
  await press(tab, 'main li button', new RegExp(`^${second}: da$`))
  const untilAbsent = (each: Tab) =>
    until(each, 'the absence', name => document.querySelector(`button[aria-label="${name}: fehlt"]`) !== null, second)
  for (const each of [tab, other]) await untilAbsent(each)
  expect(await presentAtServer(portal, token, courseId)).toEqual(before)

  gate.isOpen = true
  await press(tab, 'button', /^Senden$/)
  const names = [first, third, fourth]
  for (const each of [tab, other]) await untilTicked(each, names, 'bestätigt')
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
  for (const each of [tab, other]) {
    await openList(each, list)
    await untilTicked(each, names, '')
    await untilAbsent(each)
  }
})

test('ticks that an old version stored are sent while the update takes over, each of them once @extended', async ({
  portal,
  gate,
  launch,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 1)
  const before = await presentAtServer(portal, token, courseId)
  const { tab } = await launch()
  const list = `${gate.url}/course-participation/${courseId}`
  await start(tab, gate.url, token)
  await openList(tab, list)
  await untilControlled(tab)
  gate.version = 1
  await untilWaiting(tab)
  gate.isOpen = false
  const names = (await unrecorded(tab)).slice(0, 3)
  await tick(tab, names)
  // A page without the app. The service worker could send what is unsent as soon as there is a network.
  gate.isOpen = /^\/content\//
  await tab.goto(`${gate.url}/content/`)
  expect(await ageQueue(tab)).toBe(names.length)
  gate.isOpen = false
  await tab.goto(list)
  await untilListed(tab)
  await untilTicked(tab, names, HERE)

  gate.isOpen = true
  await update(tab)
  await untilTicked(tab, names, '')
  await expect.poll(() => presentAtServer(portal, token, courseId)).toEqual(expect.arrayContaining(names))
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
  await openList(tab, list)
  await untilTicked(tab, names, '')
})
