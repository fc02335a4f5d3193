import { expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { loadFirstScreenData } from './first-data.ts'

vi.mock('#app/home/lazy-plan.ts', () => ({
  lazyPlan: { preload: () => Promise.reject(new Error('the screen is not loaded')) },
}))

test('the app starts even if the plan cannot be loaded', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, webUserId: 7 } })
  useBookedCourses.setState({ phase: 'ready' })
  useCourseIndex.setState({ phase: 'ready' })
  const root = document.createElement('div')
  root.dataset.firstView = '/home'
  root.dataset.kept = 'de'
  document.body.append(root)
  await expect(loadFirstScreenData(root)).resolves.toBeUndefined()
})
