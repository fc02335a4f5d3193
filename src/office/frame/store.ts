import { create } from 'zustand'
import { refetchAll } from '#lib/resource.ts'

type OfficeState = {
  /** incremented by each action */
  revision: number
  /** whether requests are waiting for confirmation by passkey */
  isPasskeyAsked: boolean
}

export const useOfficeState = create<OfficeState>(() => ({ revision: 0, isPasskeyAsked: false }))

/** Refetches the displayed office data after an action. */
export function refetchOfficeData(): void {
  useOfficeState.setState(({ revision }) => ({ revision: revision + 1 }))
  void refetchAll('changed')
}

let waiting: (() => void)[] = []

/** Resolves once the user has confirmed the session with a passkey. */
export function requestPasskey(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  useOfficeState.setState({ isPasskeyAsked: true })
  return promise
}

/** Resumes the waiting requests after confirmation by passkey. */
export function resumeRequestsAfterPasskey(): void {
  const all = waiting
  waiting = []
  useOfficeState.setState({ isPasskeyAsked: false })
  for (const goOn of all) goOn()
}
