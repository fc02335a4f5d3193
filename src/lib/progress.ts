import { create } from 'zustand'

/** Number of running operations. The progress bar is visible while it is above 0. */
export const useProgress = create<{ running: number }>(() => ({ running: 0 }))

/** Counts an operation as running until it settles. */
export async function withProgress<T>(operation: Promise<T>): Promise<T> {
  useProgress.setState(state => ({ running: state.running + 1 }))
  try {
    return await operation
  } finally {
    useProgress.setState(state => ({ running: state.running - 1 }))
  }
}
