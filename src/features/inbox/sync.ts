import { useSession } from '#features/session/store.ts'
import { showUnreadBadge } from '#lib/app-badge.ts'

/** Shows a badge on the app icon while the logged-in user has unread messages. */
export function startUnreadBadge(): void {
  useSession.subscribe(({ phase, session }, before) => {
    const hasUnread = session?.hasUnreadMessages ?? false
    if (phase !== before.phase || hasUnread !== before.session?.hasUnreadMessages) showUnreadBadge(hasUnread)
  })
}
