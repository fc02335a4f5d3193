import { useSession } from '#features/session/store.ts'
import { unsubscribeOtherUser } from './push-store.ts'

/** Ends the push notifications of a user whose session ended without a logout when another user logs in. */
export function startPushOwnerCheck(): void {
  const check = ({ session }: ReturnType<typeof useSession.getState>) => {
    // If this fails, it is repeated at the next start.
    if (session) unsubscribeOtherUser(session.webUserId).catch(() => undefined)
  }
  useSession.subscribe(check)
  check(useSession.getState())
}
