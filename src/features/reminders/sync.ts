import { useSession } from '#features/session/store.ts'
import { unsubscribeOtherUser } from './push-store.ts'

/** Ends the push notifications of a user whose session ended without a logout when another user logs in. */
export function startPushOwnerCheck(): void {
  const check = (webUserId: number | undefined) => {
    // If this fails, it is repeated at the next start.
    if (webUserId !== undefined) unsubscribeOtherUser(webUserId).catch(() => undefined)
  }
  // Not after other changes: a tab with another user's session may have subscribed since.
  useSession.subscribe(({ session }, before) => {
    if (session?.webUserId !== before.session?.webUserId) check(session?.webUserId)
  })
  check(useSession.getState().session?.webUserId)
}
