import { create } from 'zustand'
import { useSession } from '#features/session/store.ts'
import { leaveOnceAgreed } from '#lib/leaving.ts'
import { attendance } from './attendance.ts'

/** How many ticks of this person the server does not have yet, while the question before a logout shows; otherwise 0. */
export const useLogoutQuestion = create<{ unsent: number }>(() => ({ unsent: 0 }))

/** Ends the session; with something typed, or with attendance that was not sent yet, the person is asked first. */
export const requestLogout = (): void => leaveOnceAgreed(logOut)

async function logOut(): Promise<void> {
  const { logout } = useSession.getState()
  // Ticks stay on the device in any case: without the files that count them nobody is kept from leaving.
  const unsent = await attendance().then(
    ({ listUnsent }) => listUnsent().length,
    () => 0,
  )
  if (unsent > 0) useLogoutQuestion.setState({ unsent })
  else {
    // Whoever uses this browser next is told nothing of this person.
    if ('Notification' in window && Notification.permission === 'granted')
      // The portal notices by itself.
      await import('#features/reminders/push-store.ts').then(m => m.stopPush()).catch(() => undefined)
    await logout()
  }
}
