import { createHash } from 'node:crypto'

/** Hash of an inner node of the tree (RFC 9162, section 2.1.1). */
const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()

/** The largest power of two below a number greater than one: the number of leaves in the left subtree. */
const leftSize = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1)

/** Root of the Merkle tree over the hashes of leaves (RFC 9162, section 2.1.1). @throws RangeError without leaves */
export function merkleRoot(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes
  if (first === undefined) throw new RangeError('a tree has at least one leaf')
  if (hashes.length === 1) return first
  const middle = leftSize(hashes.length)
  return nodeHash(merkleRoot(hashes.slice(0, middle)), merkleRoot(hashes.slice(middle)))
}

/**
 * Path from a leaf to the root, lowest node first (RFC 9162, section 2.1.3.1).
 * @param index index of the leaf, starting at 0
 */
export function merklePath(hashes: readonly Buffer[], index: number): Buffer[] {
  if (hashes.length < 2) return []
  const middle = leftSize(hashes.length)
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)]
  return index < middle
    ? [...merklePath(left, index), merkleRoot(right)]
    : [...merklePath(right, index - middle), merkleRoot(left)]
}

/** SHA-256 hash of the roots of all courses of a season, in hexadecimal digits. @param roots roots of the courses, by ascending course id */
export const digestOf = (roots: readonly Buffer[]): string =>
  createHash('sha256').update(Buffer.concat(roots)).digest('hex')
