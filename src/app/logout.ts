import { create } from 'zustand'
import { useSession } from '#features/session/store.ts'
import { leaveAfterConfirmation } from '#lib/unload-guard.ts'
import { attendance } from './attendance.ts'

/** Number of unsent attendance changes of this user while the logout confirmation is open; otherwise 0. */
export const useLogoutQuestion = create<{ unsent: number }>(() => ({ unsent: 0 }))

/** Logs out; unsaved input or unsent attendance requires confirmation first. */
export const requestLogout = (): void => leaveAfterConfirmation(logOut)

async function logOut(): Promise<void> {
  const { logout } = useSession.getState()
  // Attendance changes stay on the device in any case: if their chunk cannot be loaded, the logout continues.
  const unsent = await attendance().then(
    ({ listUnsent }) => listUnsent().length,
    () => 0,
  )
  if (unsent > 0) useLogoutQuestion.setState({ unsent })
  else {
    // Prevents notifications for this user after the next user logs in.
    if ('Notification' in window && Notification.permission === 'granted')
      // The next push to this subscription fails, whereupon the server deletes it.
      await import('#features/reminders/push-store.ts').then(m => m.unsubscribeFromPush()).catch(() => undefined)
    await logout()
  }
}
