type Question = (leave: () => void) => void

let question: Question | null = null

/** From now on who leaves in another way than by a link is asked first. @returns ends it */
export function askBeforeLeaving(ask: Question): () => void {
  question = ask
  return () => {
    if (question === ask) question = null
  }
}

/** Leaves at once, or when the reader agrees to lose what was typed. */
export const leaveOnceAgreed = (leave: () => void): void => (question ?? (go => go()))(leave)
