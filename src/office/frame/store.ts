import { create } from 'zustand'
import { refetchAll } from '#lib/resource.ts'

type OfficeState = {
  /** incremented by each action */
  revision: number
  /** whether requests are waiting for confirmation by passkey */
  isPasskeyAsked: boolean
  /** number of files being uploaded, which the action of the open dialog may need */
  uploads: number
}

export const useOfficeState = create<OfficeState>(() => ({ revision: 0, isPasskeyAsked: false, uploads: 0 }))

/** Refetches the displayed office data after an action. */
export function refetchOfficeData(): void {
  useOfficeState.setState(({ revision }) => ({ revision: revision + 1 }))
  void refetchAll('changed')
}

/** Disables the confirmation of actions until a file has been uploaded. */
export async function holdActsDuring<T>(upload: Promise<T>): Promise<T> {
  const count = (change: 1 | -1) => useOfficeState.setState(({ uploads }) => ({ uploads: uploads + change }))
  count(1)
  try {
    return await upload
  } finally {
    count(-1)
  }
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
