import { useSession } from '#features/session/store.ts'
import { showUnreadBadge } from '#lib/installed-app.ts'

/** Shows the icon's badge while there are unread messages, following the session. */
export function startInbox(): void {
  useSession.subscribe(({ phase, session }, before) => {
    const hasUnread = session?.hasUnreadMessages ?? false
    if (phase !== before.phase || hasUnread !== before.session?.hasUnreadMessages) showUnreadBadge(hasUnread)
  })
}
