import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/**
 * Releases are signed in the format of minisign (Ed25519 over BLAKE2b-512, jedisct1.github.io/minisign), which is
 * available as a Debian package: `minisign -Vm FILE -p release.pub`.
 */
const KEY_ALGORITHM = Buffer.from('Ed')
const HASHED = Buffer.from('ED')
/** DER prefix of an Ed25519 public key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

async function hashOf(file: string): Promise<Buffer> {
  const hash = createHash('blake2b512')
  await pipeline(createReadStream(file), hash)
  return hash.digest()
}

const rawOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)
/** Key id in signatures. minisign chooses it at random; here it is derived from the key. */
const idOf = (raw: Buffer) => createHash('sha256').update(raw).digest().subarray(0, 8)

/** Content of the public key file for a private or public Ed25519 key. */
export function formatPublicKeyFile(key: KeyObject): string {
  const raw = rawOf(key)
  const id = idOf(raw)
  const line = Buffer.concat([KEY_ALGORITHM, id, raw]).toString('base64')
  return `untrusted comment: minisign public key ${id.toString('hex').toUpperCase()}\n${line}\n`
}

/**
 * Signs a file.
 * @param comment line of text that the signature also covers
 */
export async function signFile(file: string, key: KeyObject, comment: string): Promise<string> {
  const signature = sign(null, await hashOf(file), key)
  const line = Buffer.concat([HASHED, idOf(rawOf(key)), signature]).toString('base64')
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key).toString('base64')
  return `untrusted comment: signature of a release\n${line}\ntrusted comment: ${comment}\n${global}\n`
}

/**
 * Verifies a file against the contents of its signature file and a public key file.
 * @returns the signed comment; null if the signature was made with another key or for other content
 */
export async function verifyFileSignature(
  file: string,
  signatureFile: string,
  keyFile: string,
): Promise<string | null> {
  const [, line = '', comment = '', global = ''] = signatureFile.split('\n')
  const given = Buffer.from(line, 'base64')
  const known = Buffer.from(keyFile.trim().split('\n').at(-1) ?? '', 'base64')
  const [signature, id] = [given.subarray(10), given.subarray(2, 10)]
  const isFormat = given.length === 74 && known.length === 42 && given.subarray(0, 2).equals(HASHED)
  if (!isFormat || !known.subarray(0, 2).equals(KEY_ALGORITHM) || !known.subarray(2, 10).equals(id)) return null
  const key = createPublicKey({ key: Buffer.concat([SPKI, known.subarray(10)]), format: 'der', type: 'spki' })
  const trusted = comment.replace(/^trusted comment: /, '')
  const isSigned =
    verify(null, await hashOf(file), key, signature) &&
    verify(null, Buffer.concat([signature, Buffer.from(trusted)]), key, Buffer.from(global, 'base64'))
  return isSigned ? trusted : null
}
