// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { useOnline, watchOnline } from './online.ts'

window.location.href = 'http://portal.example/'
watchOnline()
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a response to a request sent before the network was lost does not mark the portal as reachable', async () => {
  const answers: (() => void)[] = []
  const answer = () => new Response('[]', { headers: { 'Content-Type': 'application/json' } })
  vi.stubGlobal('fetch', () => new Promise<Response>(resolve => answers.push(() => resolve(answer()))))
  const underWay = api.listInstructorCourses()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  window.dispatchEvent(new Event('offline'))
  answers[0]?.()
  await underWay
  expect(useOnline.getState().isOnline).toBe(false)

  // The device clock has a resolution of 1 ms.
  await new Promise(resolve => setTimeout(resolve, 2))
  const later = api.listInstructorCourses()
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.()
  await later
  expect(useOnline.getState().isOnline).toBe(true)
})

test('an unreachable portal is polled with backoff until it responds, and not while the page is hidden', async () => {
  vi.useFakeTimers()
  const asked: string[] = []
  let isAway = true
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    asked.push(new URL(url).pathname)
    if (isAway) throw new TypeError('refused')
    return new Response('{"status":"Ok"}', { headers: { 'Content-Type': 'application/json' } })
  })
  await api.listInstructorCourses().catch(() => undefined)
  expect(useOnline.getState().isOnline).toBe(false)
  asked.length = 0
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toEqual(['/api/health/ready'])
  await vi.advanceTimersByTimeAsync(58_000)
  expect(asked.length).toBeGreaterThanOrEqual(4)
  expect(asked.length).toBeLessThanOrEqual(8)

  const hide = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  asked.length = 0
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toEqual([])
  isAway = false
  hide.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(useOnline.getState().isOnline).toBe(true)

  asked.length = 0
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toEqual([])
})
