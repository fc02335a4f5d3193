import { startTransition, useLayoutEffect, useState } from 'react'

type Store<State> = {
  getState: () => State
  subscribe: (listener: (state: State) => void) => () => void
}

/**
 * What a store says, for what may follow a moment later: what somebody has touched answers by itself and at once, before all
 * that hangs on it is rendered.
 * @param pick always the same function
 */
export function useLate<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  const [part, setPart] = useState(() => pick(store.getState()))
  useLayoutEffect(() => {
    // It may have changed since it was rendered.
    setPart(() => pick(store.getState()))
    return store.subscribe(state => startTransition(() => setPart(() => pick(state))))
  }, [store, pick])
  return part
}
