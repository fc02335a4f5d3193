import { createHash } from 'node:crypto'

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

export const leafHash = (leaf: string | Buffer): Buffer => sha256(Buffer.of(0), Buffer.from(leaf))

/** The root to which a path leads, computed from the root downwards, unlike in the app (RFC 9162, section 2.1.3). */
export function rootOf(leaf: Buffer, index: number, size: number, path: Buffer[]): Buffer {
  if (size === 1) return leaf
  const middle = 2 ** Math.ceil(Math.log2(size) - 1)
  const [other = Buffer.alloc(0), below] = [path.at(-1), path.slice(0, -1)]
  return index < middle
    ? sha256(Buffer.of(1), rootOf(leaf, index, middle, below), other)
    : sha256(Buffer.of(1), other, rootOf(leaf, index - middle, size - middle, below))
}
