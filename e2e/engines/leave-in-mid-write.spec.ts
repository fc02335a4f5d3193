import { setTimeout as sleep } from 'node:timers/promises'
import { loginInstructor, presentAtServer, runningCourse } from '../attendance-steps.ts'
import { expect } from '../fixtures.ts'
import { patience } from '../patience.ts'
import { openList, unrecorded, untilListed } from './attendance-list-steps.ts'
import type { Engine, Tab } from './driver.ts'
import { test } from './engine-fixture.ts'
import { start } from './tab-steps.ts'

/**
 * WebKit was the engine that froze. For more rounds: ROUNDS=50 npm run journey -- --project=webkit leave-in-mid-write
 */
const roundsIn = (engine: Engine) => Number(process.env.ROUNDS ?? (engine.name === 'webkit' ? 4 : 2))

/** Whether the stored attendance changes can be read within two seconds. */
const canRead = (tab: Tab) =>
  tab.evaluate(
    () =>
      new Promise<boolean>(resolve => {
        setTimeout(() => resolve(false), 2_000)
        const opened = indexedDB.open('attendance')
        opened.onsuccess = () => {
          const found = opened.result.transaction('entries').objectStore('entries').getAllKeys()
          found.onsuccess = () => {
            opened.result.close()
            resolve(true)
          }
        }
      }),
  )

/** WebKit never ended the transactions of a page in the back/forward cache: nothing could be read or sent any more. */
test('leaving the attendance list during a write does not block the outbox for the next page @extended', async ({
  portal,
  gate,
  engine,
  launch,
}) => {
  const rounds = roundsIn(engine)
  test.setTimeout(patience * (60_000 + rounds * 15_000))
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 2)
  const { tab } = await launch()
  const list = `${gate.url}/course-participation/${courseId}`
  await start(tab, gate.url, token)
  await openList(tab, list)
  const [name = ''] = await unrecorded(tab)
  let kept = 0
  for (let round = 0; round < rounds; round++) {
    gate.isOpen = false
    await tab.goto(list)
    await untilListed(tab)
    await tab.evaluate(who => document.querySelector<HTMLElement>(`button[aria-label^="${who}: "]`)?.click(), name)
    await tab.goto(list)
    await untilListed(tab)
    await tab.evaluate(() =>
      addEventListener('pagehide', ({ persisted }) => sessionStorage.setItem('isKept', String(persisted))),
    )
    // Different delays, so that the page is left before, during and after an attempt to send.
    await sleep((round * 25) % 300)
    await tab.goto(`${gate.url}/courses`)
    kept += Number(await tab.evaluate(() => sessionStorage.getItem('isKept') === 'true'))
    await tab.goto(list)
    expect(await canRead(tab), `round ${round + 1} of ${rounds}: the stored ticks`).toBe(true)
    gate.isOpen = true
  }
  console.log(`${rounds} rounds, ${kept} times kept by the back/forward cache`)
  // Firefox does not cache a page with a running transaction in its back/forward cache.
  if (engine.name !== 'firefox') expect(kept).toBe(rounds)
  await tab.goto(list)
  const wanted = rounds % 2 === 1
  await expect.poll(async () => (await presentAtServer(portal, token, courseId)).includes(name)).toBe(wanted)
})
