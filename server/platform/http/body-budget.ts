import { serverBusy, tooManyRequests } from './problems.ts'
import { MAX_BODY_BYTES } from './read-body.ts'

/** Bodies up to this size in bytes are not counted, so that bookings and taps are never refused. */
const UNCOUNTED_BYTES = 16 * 1024
/** Maximum number of bodies above the default limit that one person sends at once. */
const MAX_LARGE_BODIES = 2
/** Maximum sum in bytes of the bodies of this process, and of one network address. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_BYTES_OF_ADDRESS = 48 * 1024 * 1024
/** Maximum size in bytes that counts of one body. Larger ones are files, which are received on disk. */
const MAX_COUNTED_BYTES = 16 * 1024 * 1024
const RETRY_S = 5

export type BodySender = { caller: string; address: string }

/**
 * Limits the bodies that a process receives or handles at once. Their size is taken from the headers, so that a client
 * is refused before it has sent anything.
 * @returns function that reserves the bytes of a body and returns a function that releases them. It throws HttpProblem
 *   429 for a caller's third large body, 503 if the sum is reached
 */
export function createBodyBudget(): (sender: BodySender, bytes: number) => () => void {
  const large = new Map<string, number>()
  const bytesOf = new Map<string, number>()
  let total = 0

  const add = (counts: Map<string, number>, key: string, added: number) => {
    const sum = (counts.get(key) ?? 0) + added
    if (sum > 0) counts.set(key, sum)
    else counts.delete(key)
  }
  return ({ caller, address }, bytes) => {
    if (bytes <= UNCOUNTED_BYTES) return () => {}
    const counted = Math.min(bytes, MAX_COUNTED_BYTES)
    const isLarge = bytes > MAX_BODY_BYTES ? 1 : 0
    if (isLarge > 0 && (large.get(caller) ?? 0) >= MAX_LARGE_BODIES) throw tooManyRequests(RETRY_S)
    if (total + counted > MAX_BYTES || (bytesOf.get(address) ?? 0) + counted > MAX_BYTES_OF_ADDRESS)
      throw serverBusy(RETRY_S)
    const count = (sign: 1 | -1) => {
      total += sign * counted
      add(bytesOf, address, sign * counted)
      add(large, caller, sign * isLarge)
    }
    count(1)
    return () => count(-1)
  }
}
