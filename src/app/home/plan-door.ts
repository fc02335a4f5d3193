import i18next from 'i18next'
import { lazyScreen } from '#components/lazy-screen.tsx'
import { soon } from '#lib/late.ts'

/** The plan of whoever is logged in, with its words: visitors fetch nothing of it. */
export const plan = lazyScreen(async () => {
  const [{ MyPlan }] = await Promise.all([
    import('#app/plan/my-plan.tsx'),
    soon(i18next.loadNamespaces(['plan', 'own-bookings'])),
  ])
  return MyPlan
})
