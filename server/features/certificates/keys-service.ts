import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import { CERTIFICATE_ALGORITHM, type getCertificateKeys } from '#contract/certificates.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { Queryable } from '#server/db/client.ts'
import { listKeys, lockKeys, type StoredKey, saveKeys } from './repository.ts'

/** A key signs for a year. Its private part is deleted then; the public part stays published. */
const KEY_DAYS = 365

const isFresh = ({ d, createdOn }: StoredKey, today: string): boolean =>
  d !== null && Date.parse(today) - Date.parse(createdOn) < KEY_DAYS * 86_400_000

async function createKey(today: string): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair(CERTIFICATE_ALGORITHM, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  // Short, because the QR code contains it; unique among a handful of keys.
  const kid = (await calculateJwkThumbprint(jwk)).slice(0, 8)
  return { kid, x: jwk.x ?? '', d: jwk.d ?? '', createdOn: today }
}

/** The key that signs now, created by the first certificate and then once a year, in the caller's transaction. */
export async function findSigningKey(tx: Queryable, today: string) {
  const keys = await lockKeys(tx)
  let key = keys.find(one => isFresh(one, today))
  if (!key) {
    key = await createKey(today)
    await saveKeys(tx, [key, ...keys.map(one => ({ ...one, d: null }))])
  }
  const { kid, x, d } = key
  return { kid, key: await importJWK({ kty: 'OKP', crv: 'Ed25519', x, d: d ?? '' }, CERTIFICATE_ALGORITHM) }
}

/** Public keys as a JWK set, the newest first. */
export async function listPublicKeys(db: Queryable): Promise<ResponseOf<typeof getCertificateKeys>> {
  const keys = await listKeys(db)
  return {
    keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: CERTIFICATE_ALGORITHM, use: 'sig' })),
  }
}
