import { useSession } from '#features/session/store.ts'
import { messagesCache } from './cache.ts'

/** Marks the installed app's icon, where the platform has such a mark. */
function showBadge(hasUnread: boolean): void {
  if (!('setAppBadge' in navigator)) return
  const shown = hasUnread ? navigator.setAppBadge() : navigator.clearAppBadge()
  // Refused where the app is not installed, or the person does not want it.
  shown.catch(() => undefined)
}

/** Follows the session: the icon's badge while there is something to read, and no messages on the device without a session. */
export function startInbox(): void {
  useSession.subscribe(({ phase, session }, before) => {
    const hasUnread = session?.hasUnreadMessages ?? false
    if (phase !== before.phase || hasUnread !== before.session?.hasUnreadMessages) showBadge(hasUnread)
    if (phase === 'none') messagesCache.remove()
  })
}
