import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Encodes the subset of CBOR that passkeys need: integers, byte strings, text strings and maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner as number)])
  return Buffer.concat([head(5, value.size), ...parts])
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

type Signed = { challenge: string; origin?: string; rpId?: string; isVerified?: boolean }

/** Creates a software passkey, which returns what a browser would return (ES256, no attestation). */
export function createAuthenticator({ origin = 'http://localhost:8080', rpId = 'localhost' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  const dataOf = (type: string, signed: Signed) =>
    Buffer.from(
      JSON.stringify({ type, challenge: signed.challenge, origin: signed.origin ?? origin, crossOrigin: false }),
    )
  const authData = ({ rpId: site = rpId, isVerified = true }: Signed, flags: number, rest = Buffer.alloc(0)) => {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flag = Buffer.from([flags | PRESENT | (isVerified ? VERIFIED : 0)])
    return Buffer.concat([sha256(site), flag, count, rest])
  }
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }

  return {
    id: credential.id,
    /** result of `navigator.credentials.create` */
    create(signed: Signed) {
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const own = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(signed, HAS_KEY, own)],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: dataOf('webauthn.create', signed).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** result of `navigator.credentials.get` */
    get(signed: Signed) {
      const clientData = dataOf('webauthn.get', signed)
      const data = authData(signed, 0)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: null,
        },
      }
    },
  }
}
