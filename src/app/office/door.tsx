import { lazyScreen } from '#components/lazy-screen.tsx'
import { useSession } from '#features/session/store.ts'
import { NotFound } from '../lazy-not-found.ts'

const { screen: Desk } = lazyScreen(() => import('./desk.tsx').then(m => m.Desk))

/** Nothing of the desk is fetched for those who have no right there. */
export function OfficeDoor() {
  const isChecking = useSession(state => state.phase === 'checking')
  const hasRight = useSession(state => (state.session?.rights ?? []).length > 0)
  if (isChecking) return null
  return hasRight ? <Desk /> : <NotFound />
}
