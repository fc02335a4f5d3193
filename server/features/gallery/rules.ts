import { createHmac, timingSafeEqual } from 'node:crypto'

/** What signs the names of private photos now. The period is a number that grows by one every twelve hours. */
export type NameSigner = { secret: Buffer; period: number }

/** Where a private photo is, and for whom: `sessionRef` is the beginning of the session's hash. */
export type PhotoPermit = { sessionRef: Buffer; albumId: number; name: string }

/** Bytes of a session's hash that tell it from all others. They open nothing. */
export const SESSION_REF_BYTES = 12

/** `<img>` sends no header: a private picture's name carries its permission, for one session, this half day and the next. */
const macOf = ({ sessionRef, albumId, name }: PhotoPermit, { secret, period }: NameSigner): Buffer =>
  createHmac('sha256', secret)
    .update(`${period}/${sessionRef.toString('hex')}/${albumId}/${name}`)
    .digest()
    .subarray(0, 16)

/** The name under which one session can fetch a private photo; an empty name stays empty. See docs/decisions/0001. */
export function signName(permit: PhotoPermit, signer: NameSigner): string {
  const { sessionRef, albumId, name } = permit
  const mac = macOf(permit, signer).toString('base64url')
  return name === '' ? '' : `~${sessionRef.toString('base64url')}.${albumId}.${mac}~${name}`
}

/** What a signed name permits, and what proves it; null for any other name. */
export function readName(requested: string): { permit: PhotoPermit; mac: Buffer } | null {
  const [, ref, album, mac, name] = /^~([\w-]{16})\.(\d{1,9})\.([\w-]{22})~(.+)$/s.exec(requested) ?? []
  if (!ref || !album || !mac || !name) return null
  const permit = { sessionRef: Buffer.from(ref, 'base64url'), albumId: Number(album), name }
  return { permit, mac: Buffer.from(mac, 'base64url') }
}

/** Whether a permit was signed in this half day or the last. */
export const isSigned = (mac: Buffer, permit: PhotoPermit, signer: NameSigner): boolean =>
  [signer.period, signer.period - 1].some(period => timingSafeEqual(mac, macOf(permit, { ...signer, period })))
