import { NotFound } from '#app/lazy-not-found.ts'
import { useSession } from '#features/session/store.ts'
import { lazyScreen } from '#ui/lazy-screen.tsx'

const { screen: Office } = lazyScreen(() => import('./office-layout.tsx').then(m => m.OfficeLayout))

/** Route guard of the office UI. Users without office permissions download none of its code. */
export function OfficeGuard() {
  const isChecking = useSession(state => state.phase === 'checking')
  const hasRight = useSession(state => (state.session?.rights ?? []).length > 0)
  if (isChecking) return null
  return hasRight ? <Office /> : <NotFound />
}
