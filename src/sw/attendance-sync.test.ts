// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { Outbox } from '#features/attendance/outbox/outbox.ts'
import { createWorld, person } from '#test/outbox/world.ts'
import { sendOutboxFromWorker } from './attendance-sync.ts'

test('background sync takes the number of the changes that it has sent off the icon of the app', async () => {
  Object.assign(location, { href: 'http://portal.example/' })
  const device = createWorld()
  vi.stubGlobal('indexedDB', device.factory)
  device.isReachable = false
  const page = new Outbox(device)
  await page.setPerson(person)
  const tick = { kind: 'tick' as const, courseId: 1, courseDateId: 11, about: { name: 'Yoga', name2: 'Yoga' } }
  await page.record([1, 2].map(webUserId => ({ ...tick, webUserId, isPresent: true })))
  await page.flush()
  page.close()

  const badges: number[] = []
  const setAppBadge = async (count: number) => void badges.push(count)
  vi.stubGlobal('navigator', { ...navigator, setAppBadge, clearAppBadge: () => setAppBadge(0) })
  let sent = 0
  vi.stubGlobal('fetch', async (request: Request) => {
    if (sent++ > 0) throw new TypeError('no network')
    return Response.json({ ...(await request.json()), status: 'Ok', message: '' })
  })
  await expect(sendOutboxFromWorker()).rejects.toThrow('remain')
  expect(badges).toEqual([1])
  sent = -5
  await sendOutboxFromWorker()
  expect(badges).toEqual([1, 0])
})
