import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const FILE = new URL('./common-passwords.bin', import.meta.url)

/** 32 bits: a false positive rate of some 1 in 30,000. */
export const fingerprint = (word: string): number => createHash('sha256').update(word).digest().readUInt32BE(0)

/** Loads sorted fingerprints of four bytes each (scripts/make-common-passwords.ts). See docs/decisions/0006. */
export function readCommonPasswords(): (word: string) => boolean {
  const bytes = readFileSync(FILE)
  const sorted = Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
  return word => {
    const wanted = fingerprint(word)
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return sorted[low] === wanted
  }
}
