/** Shannon entropy of the values, in bits a value, with the Miller-Madow correction for few of them. */
function entropyOf(values: readonly unknown[]): number {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const bias = (counts.size - 1) / (2 * values.length * Math.LN2)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / values.length
    return sum - share * Math.log2(share)
  }, bias)
}

/** Below it, an attacker who knows how a secret was made could search for it. */
export const MIN_RANDOM_BITS = 128

/**
 * Estimates the randomness of a secret, in bits: the entropy of its characters or of the steps between them, times the length
 * without repeated blocks. Finds `aaaa…`, `abcd…` and blocks written twice; it cannot prove that a secret is random.
 */
export function randomBitsOf(secret: string): number {
  const codes = [...secret].map(character => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  const pairs = new Set(codes.slice(1).map((code, index) => `${codes[index]} ${code}`))
  const isRepeated = pairs.size < 0.7 * steps.length
  return Math.min(entropyOf(codes), entropyOf(steps)) * (isRepeated ? pairs.size + 1 : codes.length)
}
