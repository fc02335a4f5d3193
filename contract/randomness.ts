/** Shannon entropy in bits per value, with the Miller-Madow correction for small samples. */
function entropyOf(values: readonly unknown[]): number {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const bias = (counts.size - 1) / (2 * values.length * Math.LN2)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / values.length
    return sum - share * Math.log2(share)
  }, bias)
}

/**
 * Minimum estimated entropy of a secret; below it, brute force is feasible for an attacker who knows how it was
 * generated.
 */
export const MIN_ENTROPY_BITS = 128

/**
 * Estimates the entropy of a secret in bits: entropy of its characters or of the differences between neighbours, times
 * the length without repeated blocks. Detects `aaaa…`, `abcd…` and repeated blocks; it cannot prove randomness.
 */
export function estimateEntropyBits(secret: string): number {
  const codes = [...secret].map(character => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  const pairs = new Set(codes.slice(1).map((code, index) => `${codes[index]} ${code}`))
  const isRepeated = pairs.size < 0.7 * steps.length
  return Math.min(entropyOf(codes), entropyOf(steps)) * (isRepeated ? pairs.size + 1 : codes.length)
}
