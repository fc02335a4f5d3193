import i18next from 'i18next'
import { withTimeout } from '#lib/lazy-load.ts'
import { lazyScreen } from '#ui/lazy-screen.tsx'

/** The personal plan and its texts, in a chunk that visitors do not load. */
export const lazyPlan = lazyScreen(async () => {
  const [{ MyPlan }] = await Promise.all([
    import('#app/plan/my-plan.tsx'),
    withTimeout(i18next.loadNamespaces(['plan', 'own-bookings'])),
  ])
  return MyPlan
})
