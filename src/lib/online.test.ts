// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { listInstructorCourses } from '#contract/courses.ts'
import { call } from './api-client.ts'
import { useOnline, watchOnline } from './online.ts'

test('an answer that was under way when the network went does not bring it back', async () => {
  window.location.href = 'http://portal.example/'
  watchOnline()
  const answers: (() => void)[] = []
  const answer = () => new Response('[]', { headers: { 'Content-Type': 'application/json' } })
  vi.stubGlobal('fetch', () => new Promise<Response>(resolve => answers.push(() => resolve(answer()))))
  const underWay = call(listInstructorCourses, {})
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  window.dispatchEvent(new Event('offline'))
  answers[0]?.()
  await underWay
  expect(useOnline.getState().isOnline).toBe(false)

  // The device's clock counts in ms.
  await new Promise(resolve => setTimeout(resolve, 2))
  const later = call(listInstructorCourses, {})
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.()
  await later
  expect(useOnline.getState().isOnline).toBe(true)
})
