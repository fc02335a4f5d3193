import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signing key for the names of private photos. `period` increases every twelve hours. */
export type PhotoNameSigner = { secret: Buffer; period: number }

/** Identifies a private photo and its viewer. `sessionRef` is a prefix of the session's hash. */
export type PhotoPermit = { sessionRef: Buffer; albumId: number; name: string }

/** Length in bytes of the session hash prefix: long enough to be unique, too short to grant access. */
export const SESSION_HASH_PREFIX_BYTES = 12

/**
 * MAC of a private photo's name. Because `<img>` sends no custom header, the name itself carries the permission. The
 * permission belongs to one session and is valid until the end of the next 12-hour period.
 */
const macOf = ({ sessionRef, albumId, name }: PhotoPermit, { secret, period }: PhotoNameSigner): Buffer =>
  createHmac('sha256', secret)
    .update(`${period}/${sessionRef.toString('hex')}/${albumId}/${name}`)
    .digest()
    .subarray(0, 16)

/**
 * Signed name under which one session can fetch a private photo; an empty name stays empty. See docs/decisions/0001.
 */
export function signPhotoName(permit: PhotoPermit, signer: PhotoNameSigner): string {
  const { sessionRef, albumId, name } = permit
  const mac = macOf(permit, signer).toString('base64url')
  return name === '' ? '' : `~${sessionRef.toString('base64url')}.${albumId}.${mac}~${name}`
}

/** Parses a signed name; null for any other name. */
export function parsePhotoName(requested: string): { permit: PhotoPermit; mac: Buffer } | null {
  const [, ref, album, mac, name] = /^~([\w-]{16})\.(\d{1,9})\.([\w-]{22})~(.+)$/s.exec(requested) ?? []
  if (!ref || !album || !mac || !name) return null
  const permit = { sessionRef: Buffer.from(ref, 'base64url'), albumId: Number(album), name }
  return { permit, mac: Buffer.from(mac, 'base64url') }
}

/** Whether the signature is valid for the current or the previous 12-hour period. */
export const isPhotoNameSigned = (mac: Buffer, permit: PhotoPermit, signer: PhotoNameSigner): boolean =>
  [signer.period, signer.period - 1].some(period => timingSafeEqual(mac, macOf(permit, { ...signer, period })))
