import { create } from 'zustand'

type DeskState = {
  /** grows with every act that was done: what shows is read again */
  revision: number
  /** calls wait for a passkey */
  isPasskeyAsked: boolean
}

export const useDesk = create<DeskState>(() => ({ revision: 0, isPasskeyAsked: false }))

export const deskChanged = (): void => useDesk.setState(({ revision }) => ({ revision: revision + 1 }))

let waiting: (() => void)[] = []

/** Waits until the session is confirmed by a passkey. */
export function askPasskey(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  useDesk.setState({ isPasskeyAsked: true })
  return promise
}

/** The session is confirmed: what waited goes on. */
export function passkeyShown(): void {
  const all = waiting
  waiting = []
  useDesk.setState({ isPasskeyAsked: false })
  for (const goOn of all) goOn()
}
