import { retryUntilLoaded, waitForPageLoad } from '#lib/lazy-load.ts'

let started: Promise<typeof import('#features/attendance/store.ts')> | null = null

/** Starts the attendance feature once: immediately on attendance screens, otherwise after the first screen is shown. */
async function openAttendance() {
  const [store, { startAttendanceSync: startAttendance }] = await Promise.all([
    import('#features/attendance/store.ts'),
    import('#features/attendance/sync.ts'),
  ])
  await startAttendance()
  return store
}

/** Sends outbox entries left by earlier pages, and retries on events that suggest connectivity. */
export async function startAttendanceOutbox(shown: Promise<void>): Promise<void> {
  if (!/^\/course(?:s\/instructor|-participation)/.test(window.location.pathname)) await shown.then(waitForPageLoad)
  await retryUntilLoaded(loadAttendanceStore)
}

/**
 * Returns the running attendance feature.
 * @throws TypeError if its chunks could not be loaded; the next call retries
 */
export function loadAttendanceStore() {
  started ??= openAttendance().catch(error => {
    started = null
    throw error
  })
  return started
}
