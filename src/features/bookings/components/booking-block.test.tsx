import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { addClockSample } from '#lib/clock.ts'
import { dateOf, testCourse } from '#test/courses.ts'
import { render } from '#test/render.tsx'
import { BookingSection } from './booking-block.tsx'

test('a phone whose clock is an hour ahead shows the countdown once the server has answered, and announces its end', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  vi.setSystemTime(new Date('2026-11-21T08:30:00+01:00'))
  const course = testCourse({
    bookableFrom: dateOf('2026-11-21 08:00'),
    seasonBookable: false,
    bookable: false,
    obstacle: 'notOpen',
  })
  const container = await render(<BookingSection course={course} isOver={false} isChecking={false} />)
  const countdown = () => container.querySelector('[role="timer"]')?.textContent
  expect(countdown()).toBeUndefined()
  await act(async () => addClockSample(String(Date.now() - 3_600_000), Date.now() - 20, Date.now()))
  expect(countdown()).toContain('30:00')
  const announcements = () => [...container.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent)
  expect(announcements()).not.toContain('Die Buchung ist geöffnet.')
  vi.setSystemTime(new Date('2026-11-21T09:00:01+01:00'))
  await vi.waitFor(() => expect(announcements()).toContain('Die Buchung ist geöffnet.'), { timeout: 10_000 })
})
