/** Acts when the next picture has been painted. In a page that nobody sees that is when it is seen again. */
export const afterPaint = (act: () => void): void => {
  requestAnimationFrame(() => setTimeout(act))
}

/** Calls back later. Returns the way to stop that. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
