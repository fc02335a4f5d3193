import { create } from 'zustand'
import { refetchAll } from '#lib/resource.ts'

type DeskState = {
  /** incremented by each action */
  revision: number
  /** whether requests are waiting for confirmation by passkey */
  isPasskeyAsked: boolean
}

export const useDeskState = create<DeskState>(() => ({ revision: 0, isPasskeyAsked: false }))

/** Refetches the displayed office data after an action. */
export function refetchDeskData(): void {
  useDeskState.setState(({ revision }) => ({ revision: revision + 1 }))
  void refetchAll('changed')
}

let waiting: (() => void)[] = []

/** Resolves once the user has confirmed the session with a passkey. */
export function requestPasskey(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  useDeskState.setState({ isPasskeyAsked: true })
  return promise
}

/** Resumes the waiting requests after confirmation by passkey. */
export function resumeAfterPasskey(): void {
  const all = waiting
  waiting = []
  useDeskState.setState({ isPasskeyAsked: false })
  for (const goOn of all) goOn()
}
