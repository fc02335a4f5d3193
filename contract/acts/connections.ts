import * as v from 'valibot'
import { dateField, requiredSingleLineText } from '../tables/field-schemas.ts'
import { id, scope, webhookKind } from '../values.ts'
import { defineAct } from './act.ts'

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
 * Minimum estimated entropy of a secret, in bits. Below this, an attacker who knows how the secret was generated could
 * find it by brute force.
 */
export const MIN_SECRET_ENTROPY_BITS = 128

/**
 * Estimates the entropy of a secret in bits. This is the entropy of its characters, or of the differences between
 * adjacent characters if that is lower, times the length without repeated blocks. Detects `aaaa…`, `abcd…` and repeated
 * blocks, but cannot prove randomness.
 */
export function estimateSecretEntropyBits(secret: string): number {
  const codes = [...secret].map(character => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  const pairs = new Set(codes.slice(1).map((code, index) => `${codes[index]} ${code}`))
  const isRepeated = pairs.size < 0.7 * steps.length
  return Math.min(entropyOf(codes), entropyOf(steps)) * (isRepeated ? pairs.size + 1 : codes.length)
}

/** A secret that the client generates from random bytes, so that it never appears in a response. */
const secret = v.pipe(
  v.string(),
  v.regex(/^[\w-]{40,100}$/),
  v.check(token => estimateSecretEntropyBits(token) >= MIN_SECRET_ENTROPY_BITS, 'not random enough'),
)
/** Webhook secret in the Standard Webhooks format: `whsec_` followed by 24 to 64 random bytes in base64. */
const webhookSecret = v.pipe(
  v.string(),
  v.regex(
    /^whsec_(?:(?:[A-Za-z\d+/]{4}){8,20}(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?|(?:[A-Za-z\d+/]{4}){21}(?:[A-Za-z\d+/]{2}==)?)$/,
  ),
  v.check(
    given => estimateSecretEntropyBits(given.slice('whsec_'.length)) >= MIN_SECRET_ENTROPY_BITS,
    'not random enough',
  ),
)
const url = v.pipe(
  v.string(),
  v.maxLength(500),
  v.regex(
    /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?][^\s@]*)?$|^https?:\/\/\[[\da-f:.]+\](?::\d{1,5})?(?:[/?][^\s@]*)?$/i,
  ),
)

export const connectionActs = {
  'create-token': defineAct(
    'owner',
    {
      name: requiredSingleLineText(100),
      token: secret,
      scopes: v.pipe(v.array(scope), v.minLength(1), v.maxLength(10)),
      expiresOn: dateField,
    },
    { scopes: 'scopes' },
  ),
  'revoke-token': defineAct('owner', { tokenId: id }),
  'save-webhook': defineAct(
    'owner',
    {
      webhookId: v.optional(id),
      name: requiredSingleLineText(100),
      url,
      secret: v.optional(webhookSecret),
      kinds: v.pipe(v.array(webhookKind), v.minLength(1), v.maxLength(10)),
      active: v.optional(v.boolean(), true),
    },
    { destination: 'url' },
  ),
  'remove-webhook': defineAct('owner', { webhookId: id }),
}
