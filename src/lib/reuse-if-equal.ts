const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const left = Object.entries(a)
  return left.length === Object.keys(b).length && left.every(([key, value]) => isSame(value, Reflect.get(b, key)))
}

/**
 * Returns the previous JSON value if the next one equals it, so that what was rendered or computed from it stays valid.
 */
export const reuseIfEqual = <Value>(before: Value | undefined, next: Value): Value =>
  before !== undefined && isSame(before, next) ? before : next
