import type { BookingOrder, OwnRequest } from '#contract/endpoints/booking-order.ts'
import type { Language } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import { portalDateTimeAt, portalTimeZone } from '#lib/format.ts'

type Proof = NonNullable<OwnRequest['proof']>
export type ProvenRequest = { courseId: number; number: number; askedAt: string }
/** `unsupported`: this page was not opened over https, so the browser computes no hashes */
export type ProofVerdict = { verdict: 'proven'; request: ProvenRequest } | { verdict: 'different' | 'unsupported' }

const SEPARATOR = '~'
/** Address of the page that verifies a proof. The fragment never leaves the device. */
export const proofPath = ({ seasonId, leaf, path }: Proof): string =>
  `/booking-order/${seasonId}#${[encodeURIComponent(leaf), ...path].join(SEPARATOR)}`

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], digits => Number.parseInt(digits, 16))
const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
const sha256 = async (...parts: Uint8Array<ArrayBuffer>[]): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer()))
const nodeHash = (left: string, right: string) => sha256(Uint8Array.of(1), fromHex(left), fromHex(right))

/** Hash of a leaf (RFC 9162, section 2.1.1). */
export const leafHash = (leaf: string): Promise<string> =>
  sha256(Uint8Array.of(0), new TextEncoder().encode(leaf) as Uint8Array<ArrayBuffer>)

/**
 * Root to which a path leads from a leaf (RFC 9162, section 2.1.3.2).
 * @param index index of the leaf, starting at 0
 * @param size number of leaves
 * @returns null if the path has a different length than one of this leaf
 */
export async function rootOfPath(
  hash: string,
  index: number,
  size: number,
  path: readonly string[],
): Promise<string | null> {
  let [position, last, root] = [index, size - 1, hash]
  for (const other of path) {
    if (last === 0) return null
    if (position % 2 === 1 || position === last) {
      root = await nodeHash(other, root)
      while (position % 2 === 0 && position !== 0) [position, last] = [position >> 1, last >> 1]
    } else root = await nodeHash(root, other)
    ;[position, last] = [position >> 1, last >> 1]
  }
  return last === 0 ? root : null
}

/** Verifies on the device that a request is part of a published order. @param fragment fragment of a `proofPath` */
export async function verifyProof(fragment: string, order: BookingOrder): Promise<ProofVerdict> {
  if (!globalThis.crypto.subtle) return { verdict: 'unsupported' }
  const [encoded = '', ...path] = fragment.split(SEPARATOR)
  const leaf = decodeURIComponent(encoded)
  const [courseId, number, askedAt = ''] = leaf.split('|')
  const request = { courseId: Number(courseId), number: Number(number), askedAt }
  const course = order.courses.find(one => one.courseId === request.courseId)
  const digest = await sha256(...order.courses.map(({ root }) => fromHex(root)))
  const isProven =
    course !== undefined &&
    digest === order.digest &&
    (await rootOfPath(await leafHash(leaf), request.number - 1, course.requests, path)) === course.root
  return isProven ? { verdict: 'proven', request } : { verdict: 'different' }
}

/** Formats an instant in the portal's time zone, to the millisecond: '29.11.2026, 08:00:00,213'. */
export function formatInstant(iso: string, language: Language): string {
  const instant = new Date(iso)
  const time = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    timeZone: portalTimeZone(),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(instant)
  return `${formatDate(portalDateTimeAt(instant.getTime()))}, ${time}`
}

/** Formats the time of day of an instant in the portal's time zone: '08:00:00'. */
export const formatSecond = (iso: string): string =>
  new Intl.DateTimeFormat('de-DE', { timeZone: portalTimeZone(), timeStyle: 'medium' }).format(new Date(iso))
