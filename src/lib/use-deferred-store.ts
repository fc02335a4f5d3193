import { startTransition, useLayoutEffect, useState } from 'react'

type Store<State> = {
  getState: () => State
  subscribe: (listener: (state: State) => void) => () => void
}

/**
 * Selects store state in a deferred update, so that the touched control responds before dependent components rerender.
 * @param pick selector, which must be memoized
 */
export function useDeferredStore<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  const [part, setPart] = useState(() => pick(store.getState()))
  useLayoutEffect(() => {
    // The state may have changed since rendering.
    setPart(() => pick(store.getState()))
    return store.subscribe(state => startTransition(() => setPart(() => pick(state))))
  }, [store, pick])
  return part
}
