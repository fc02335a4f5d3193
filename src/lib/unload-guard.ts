type Question = (leave: () => void) => void

let question: Question | null = null

/**
 * Registers a confirmation for navigation by other means than links, to protect unsaved input. @returns unregisters it
 */
export function confirmBeforeLeaving(ask: Question): () => void {
  question = ask
  return () => {
    if (question === ask) question = null
  }
}

/** Runs `leave` at once, or after the user confirms losing unsaved input. */
export const leaveAfterConfirmation = (leave: () => void): void => (question ?? (go => go()))(leave)
