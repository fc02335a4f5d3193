import { useState } from 'react'
import { useSession } from '#features/session/store.ts'
import { useWithinTimeout } from '#lib/use-now.ts'
import { useCourseIndex, useCourseStates } from './resource.ts'

/** Maximum time the list waits for the bookings on a slow network. */
const PATIENCE_MS = 4_000

/**
 * Loading state of the list. Cards wait for the user's bookings, as they would change height later; displayed cards are
 * never hidden again.
 */
export function useListPhase() {
  const phase = useCourseIndex(state => state.phase)
  const isOwnComing = useCourseStates(state => state.phase === 'loading')
  const isKnown = useSession(state => state.phase !== 'checking')
  const isLoggedIn = useSession(state => state.session !== null)
  const isPatient = useWithinTimeout(PATIENCE_MS)
  const [hasShown, setHasShown] = useState(false)

  const isWaiting = !isKnown || (isLoggedIn && isOwnComing)
  if (phase === 'ready' && isWaiting && isPatient && !hasShown) return 'loading'
  if (phase === 'ready' && !hasShown) setHasShown(true)
  return phase
}
