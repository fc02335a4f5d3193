import { create } from 'zustand'
import { useSession } from '#features/session/store.ts'
import { withTimeout } from '#lib/lazy-load.ts'
import { leaveAfterConfirmation } from '#lib/unload-guard.ts'
import { loadAttendanceStore } from './attendance.ts'

/** Number of this user's unsent attendance changes while the logout confirmation is open; otherwise 0. */
export const useLogoutConfirmation = create<{ unsent: number }>(() => ({ unsent: 0 }))

/** Logs out. Unsaved input or unsent attendance must be confirmed first. */
export const requestLogout = (): void => leaveAfterConfirmation(logOut)

async function logOut(): Promise<void> {
  // Unsent attendance changes remain on the device after logout, so logout proceeds even if the code that counts them
  // cannot be loaded.
  const unsent = await loadAttendanceStore().then(
    ({ listUnsentChanges }) => listUnsentChanges().length,
    () => 0,
  )
  if (unsent > 0) useLogoutConfirmation.setState({ unsent })
  else await endSession()
}

/** Logs out without a confirmation. */
export async function endSession(): Promise<void> {
  const { session, logout } = useSession.getState()
  // Prevents notifications for this user from appearing after the next user has logged in.
  // If this fails, the next push to the subscription fails as well, and the server then deletes it. Without a response it
  // continues after the logout.
  await withTimeout(
    import('#features/reminders/push-store.ts').then(m => m.unsubscribeUser(session?.webUserId)).catch(() => undefined),
  )
  await logout()
}
