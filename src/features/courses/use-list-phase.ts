import { useState } from 'react'
import { useSession } from '#features/session/store.ts'
import { useWithinTimeout } from '#lib/use-now.ts'
import { useCourseIndex, useCourseStates } from './resource.ts'

/** A bad network does not keep the courses from the reader for ever. */
const PATIENCE_MS = 4_000

/** What the list can show. Cards wait for the bookings of who is logged in: they would grow later. What shows does not go again. */
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
