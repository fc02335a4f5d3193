import { createHmac, timingSafeEqual } from 'node:crypto'

/** What signs the names of private photos now. The period is a number that grows by one every week. */
export type NameSigner = { secret: Buffer; period: number }

/**
 * Pictures are asked for without a session (`<img>` sends no header), so the name of a private one carries its own permission:
 * 128 bits that only this portal can make, good for this week and the next. The form survives `encodeURIComponent`.
 */
const keyOf = (name: string, { secret, period }: NameSigner): string =>
  createHmac('sha256', secret).update(`${period}/${name}`).digest().subarray(0, 16).toString('base64url')

/** The name under which a private photo can be fetched; an empty name stays empty. */
export const signName = (name: string, signer: NameSigner): string =>
  name === '' ? '' : `~${keyOf(name, signer)}~${name}`

/** The stored name behind a requested one, and the key that came with it. */
export function readName(requested: string): { name: string; key: string | null } {
  const [, key, name] = /^~([\w-]{22})~(.+)$/s.exec(requested) ?? []
  return key === undefined || name === undefined ? { name: requested, key: null } : { name, key }
}

/** Whether a key permits to fetch a photo: one of this week or of the last. */
export const isKeyGood = (key: string, name: string, signer: NameSigner): boolean =>
  [signer.period, signer.period - 1].some(period =>
    timingSafeEqual(Buffer.from(key), Buffer.from(keyOf(name, { ...signer, period }))),
  )
