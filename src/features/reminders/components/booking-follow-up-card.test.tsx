import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { DEFAULT_REMINDERS, type Reminders } from '#contract/endpoints/reminders.ts'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { usePushState } from '../push-store.ts'
import { BookingFollowUpCard } from './booking-follow-up-card.tsx'

/** Shows the card in a browser that answers with this subscription. */
async function showCard(getSubscription: () => Promise<object>) {
  let stored: Reminders = DEFAULT_REMINDERS
  const lessonEves: Reminders['lessonEve'][] = []
  usePushState.setState({ state: 'asking' })
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PUT') {
      stored = await request.json()
      lessonEves.push(stored.lessonEve)
    }
    return Response.json(stored)
  })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission: 'granted' })
  Object.assign(navigator, { serviceWorker: { getRegistration: async () => ({ pushManager: { getSubscription } }) } })
  const container = await render(<BookingFollowUpCard course={testCourse()} isBooked />, 'reminders')
  const reminder = () => container.querySelector<HTMLInputElement>('[role="switch"]')
  const remind = async () => {
    await vi.waitFor(() => expect(reminder()?.disabled).toBe(false))
    await act(async () => reminder()?.click())
  }
  return { remind, lessonEve: () => stored.lessonEve, lessonEves }
}

test('after a booking, a browser that receives push notifications is reminded by push, also after a reload', async () => {
  const subscription = Promise.withResolvers<object>()
  const { remind, lessonEve } = await showCard(() => subscription.promise)
  await remind()
  subscription.resolve({})
  await vi.waitFor(() => expect(lessonEve()).toEqual({ mail: false, push: true }))
})

test('after a booking, a browser that never names its subscription is reminded by e-mail', async () => {
  const { remind, lessonEve } = await showCard(() => new Promise(() => undefined))
  await remind()
  await vi.waitFor(() => expect(lessonEve()).toEqual({ mail: true, push: false }), { timeout: 5_000 })
})

test('after a booking, a second tap before the browser has named its subscription takes the reminder back', async () => {
  const subscription = Promise.withResolvers<object>()
  const { remind, lessonEves } = await showCard(() => subscription.promise)
  await remind()
  await remind()
  subscription.resolve({})
  await vi.waitFor(() => expect(lessonEves).toHaveLength(2))
  expect(lessonEves).toEqual([
    { mail: false, push: true },
    { mail: false, push: false },
  ])
})

test('after a booking, a browser that fails to name its subscription is reminded by e-mail', async () => {
  const { remind, lessonEve } = await showCard(() => Promise.reject(new DOMException('failed', 'AbortError')))
  await remind()
  await vi.waitFor(() => expect(lessonEve()).toEqual({ mail: true, push: false }))
})
