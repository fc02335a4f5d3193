import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { DEFAULT_REMINDERS, type Reminders } from '#contract/endpoints/reminders.ts'
import { testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { BookingFollowUpCard } from './booking-follow-up-card.tsx'

test('after a booking, a browser that receives push notifications is reminded by push, also after a reload', async () => {
  let stored: Reminders = DEFAULT_REMINDERS
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PUT') stored = await request.json()
    return Response.json(stored)
  })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission: 'granted' })
  const registration = { pushManager: { getSubscription: async () => ({}) } }
  Object.assign(navigator, { serviceWorker: { getRegistration: async () => registration } })
  const container = await render(<BookingFollowUpCard course={testCourse()} isBooked />, 'reminders')
  const reminder = () => container.querySelector<HTMLInputElement>('[role="switch"]')
  await vi.waitFor(() => expect(reminder()?.disabled).toBe(false))
  await act(async () => reminder()?.click())
  await vi.waitFor(() => expect(stored.lessonEve).toEqual({ mail: false, push: true }))
})
