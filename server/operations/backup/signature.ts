import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeDataFile } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** File in DATA_DIR with the Ed25519 key that signs backups; see docs/decisions/0138. */
export const BACKUP_KEY_FILE = 'backup-key'

/** Signature in a backup: the public key as 64 hex digits, and the manifest's signature in base64. */
export const signatureSchema = v.object({
  publicKey: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  signature: v.string(),
})
export type Signature = v.InferOutput<typeof signatureSchema>

/** @returns null if this DATA_DIR has no key yet */
export async function readSigningKey(dataDir: string): Promise<KeyObject | null> {
  const pem = await readFile(join(dataDir, BACKUP_KEY_FILE), 'utf8').catch(error => {
    if (errorFactsOf(error).code === 'ENOENT') return null
    throw error
  })
  if (pem === null) return null
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    const file = join(dataDir, BACKUP_KEY_FILE)
    throw new StartError(
      `${file} is damaged: put a copy back, or remove it, and note the public key of the next backup`,
      {
        cause,
      },
    )
  }
}

/** Reads the signing key, or creates it if DATA_DIR contains none. */
export async function openSigningKey(dataDir: string): Promise<KeyObject> {
  const known = await readSigningKey(dataDir)
  if (known) return known
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await writeDataFile(dataDir, BACKUP_KEY_FILE, pem, { isNew: true }).catch(error => {
    // A concurrent backup has created the key already.
    if (errorFactsOf(error).code !== 'EEXIST') throw error
  })
  return openSigningKey(dataDir)
}

export const publicKeyOf = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')

export const signManifest = (manifest: Buffer, key: KeyObject): Signature => ({
  publicKey: publicKeyOf(key),
  signature: sign(null, manifest, key).toString('base64'),
})

export function isValidSignature(manifest: Buffer, { publicKey, signature }: Signature): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') }
  return verify(null, manifest, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature, 'base64'))
}
