/** Runs a callback after the next paint; on a hidden page only once it becomes visible again. */
export const afterPaint = (act: () => void): void => {
  requestAnimationFrame(() => setTimeout(act))
}

/** Like `setTimeout`. Returns a function that cancels the timer. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
