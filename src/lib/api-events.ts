const lostListeners = new Set<() => void>()

/** Subscribes to 401 responses to calls that carried the stored token. Returns the unsubscribe function. */
export function onSessionLost(listener: () => void): () => void {
  lostListeners.add(listener)
  return () => lostListeners.delete(listener)
}

const forbiddenListeners = new Set<() => void>()

/** Subscribes to 403 responses: the session is valid but lacks the permission. */
export function onForbidden(listener: () => void): void {
  forbiddenListeners.add(listener)
}

/** Notifies the subscribers of refused access. @param isOwn the call carried the stored token */
export function reportRefused(status: number, isOwn: boolean): void {
  if (status === 401 && isOwn) for (const listener of lostListeners) listener()
  if (status === 403) for (const listener of forbiddenListeners) listener()
}

type ReachabilityListener = (isReachable: boolean, sentAt: number) => void
const reachabilityListeners = new Set<ReachabilityListener>()

/** Subscribes to the outcome of each call: whether the server responded, and the device time of the request in ms. */
export function onReachability(listener: ReachabilityListener): void {
  reachabilityListeners.add(listener)
}

export const reportReachable: ReachabilityListener = (isReachable, sentAt) => {
  for (const listener of reachabilityListeners) listener(isReachable, sentAt)
}
