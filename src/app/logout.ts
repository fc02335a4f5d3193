import { create } from 'zustand'
import { listUnsent } from '#features/attendance/store.ts'
import { useSession } from '#features/session/store.ts'

/** How many ticks of this person the server does not have yet. */
export const countUnsent = (): number => listUnsent().length

/** Whether the question before a logout shows. */
export const useLogoutQuestion = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

/** Ends the session; with attendance that was not sent yet the person is asked first. */
export function requestLogout(): void {
  if (countUnsent() > 0) useLogoutQuestion.setState({ isOpen: true })
  else useSession.getState().logout()
}
