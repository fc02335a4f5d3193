type Question = (leave: () => void) => void

let question: Question | null = null

/**
 * Registers a confirmation for navigation other than by links, to protect unsaved input. Returns a function that
 * unregisters it.
 */
export function confirmBeforeLeaving(ask: Question): () => void {
  question = ask
  return () => {
    if (question === ask) question = null
  }
}

/** Runs `leave` immediately if there is no unsaved input, otherwise once the user agrees to lose it. */
export const leaveAfterConfirmation = (leave: () => void): void => (question ?? (go => go()))(leave)
