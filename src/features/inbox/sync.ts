import { useSession } from '#features/session/store.ts'
import { showUnreadBadge } from '#lib/app-badge.ts'

/** Follows the session: the icon's badge while there is something to read. */
export function startInbox(): void {
  useSession.subscribe(({ phase, session }, before) => {
    const hasUnread = session?.hasUnreadMessages ?? false
    if (phase !== before.phase || hasUnread !== before.session?.hasUnreadMessages) showUnreadBadge(hasUnread)
  })
}
