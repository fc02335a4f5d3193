import { create } from 'zustand'
import { refetchAll } from '#lib/resource.ts'

type DeskState = {
  /** incremented by each act */
  revision: number
  /** whether API calls are waiting for a passkey confirmation */
  isPasskeyAsked: boolean
}

export const useDesk = create<DeskState>(() => ({ revision: 0, isPasskeyAsked: false }))

/** Refetches the displayed office data after an act. */
export function refreshDesk(): void {
  useDesk.setState(({ revision }) => ({ revision: revision + 1 }))
  void refetchAll('changed')
}

let waiting: (() => void)[] = []

/** Resolves when the session is confirmed by passkey. */
export function requestPasskey(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  useDesk.setState({ isPasskeyAsked: true })
  return promise
}

/** Resumes the waiting calls after passkey confirmation. */
export function resumeAfterPasskey(): void {
  const all = waiting
  waiting = []
  useDesk.setState({ isPasskeyAsked: false })
  for (const goOn of all) goOn()
}
