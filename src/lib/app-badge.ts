let ticks = 0
let hasUnread = false

/** Marks the installed app's icon, where the platform has such a mark: a number counts more than a dot. */
function show(): void {
  if (!('setAppBadge' in navigator)) return
  const shown =
    ticks > 0 ? navigator.setAppBadge(ticks) : hasUnread ? navigator.setAppBadge() : navigator.clearAppBadge()
  // Refused where the app is not installed, or the person does not want it.
  shown.catch(() => undefined)
}

/** Unread messages: a dot. */
export function showUnreadBadge(isUnread: boolean): void {
  hasUnread = isUnread
  show()
}

/** Ticks on this device that the portal does not have: their number. */
export function showTickBadge(count: number): void {
  if (count === ticks) return
  ticks = count
  show()
}
