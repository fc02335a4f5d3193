import { startTransition, useLayoutEffect, useState } from 'react'

type Store<State> = {
  getState: () => State
  subscribe: (listener: (state: State) => void) => () => void
}

/**
 * For what may follow a moment later: what was touched answers before all that hangs on it is rendered.
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
