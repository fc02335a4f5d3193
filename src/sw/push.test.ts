import { expect, test, vi } from 'vitest'
import { openNotificationTarget } from './push.ts'

test.each([
  ['is focused if it shows the target', '/course-details/1', 'focused'],
  ['is left alone if it shows another page, which may have unsaved input', '/edit', 'opened /course-details/1'],
])('an open window %s', async (_name, path, outcome) => {
  const done: string[] = []
  const window = { url: `https://sport.example${path}`, focus: async () => done.push('focused') }
  const clients = {
    matchAll: async () => [{ ...window, navigate: async (url: string) => done.push(`navigated ${url}`) }],
    openWindow: async (url: string) => done.push(`opened ${new URL(url).pathname}`),
  }
  const worker = { clients, location: new URL('https://sport.example/sw.js') }
  const event = { notification: { close: vi.fn(), data: '/course-details/1' } }
  await openNotificationTarget(worker as unknown as ServiceWorkerGlobalScope, event as unknown as NotificationEvent)
  expect(done).toEqual([outcome])
})
