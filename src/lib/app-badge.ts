/** -1: not known yet, for example in the service worker, while the icon still has the badge of a page */
let ticks = -1
let hasUnread = false

/**
 * Sets the badge on the installed app's icon, if the browser has the Badging API. A count takes precedence over a dot.
 */
function show(): void {
  if (!('setAppBadge' in navigator)) return
  const shown =
    ticks > 0 ? navigator.setAppBadge(ticks) : hasUnread ? navigator.setAppBadge() : navigator.clearAppBadge()
  // The promise is rejected if the app is not installed or the user has disabled badges.
  shown.catch(() => undefined)
}

/** Shows a dot for unread messages. */
export function showUnreadBadge(isUnread: boolean): void {
  hasUnread = isUnread
  show()
}

/** Shows the number of attendance changes that have not been synchronized yet. */
export function showUnsyncedBadge(count: number): void {
  if (count === ticks) return
  ticks = count
  show()
}
