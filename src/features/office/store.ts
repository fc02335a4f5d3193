import { create } from 'zustand'

type DeskState = {
  /** incremented by each act; triggers a refetch of visible data */
  revision: number
  /** calls are waiting for passkey confirmation */
  isPasskeyAsked: boolean
}

export const useDesk = create<DeskState>(() => ({ revision: 0, isPasskeyAsked: false }))

export const deskChanged = (): void => useDesk.setState(({ revision }) => ({ revision: revision + 1 }))

let waiting: (() => void)[] = []

/** Resolves when the session is confirmed by passkey. */
export function askPasskey(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  useDesk.setState({ isPasskeyAsked: true })
  return promise
}

/** Resumes the waiting calls after passkey confirmation. */
export function passkeyShown(): void {
  const all = waiting
  waiting = []
  useDesk.setState({ isPasskeyAsked: false })
  for (const goOn of all) goOn()
}
