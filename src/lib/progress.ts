import { create } from 'zustand'

/** Counts the operations that run now: the loader shows while there are any. */
export const useProgress = create<{ running: number }>(() => ({ running: 0 }))

/** Counts an operation until it ends, however it ends. */
export async function withProgress<T>(operation: Promise<T>): Promise<T> {
  useProgress.setState(state => ({ running: state.running + 1 }))
  try {
    return await operation
  } finally {
    useProgress.setState(state => ({ running: state.running - 1 }))
  }
}
