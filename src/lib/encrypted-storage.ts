/** Personal data that is encrypted at rest and can be read only with the session that stored it. */
export type EncryptedData = {
  kind: 'sealed'
  /** identifies the session without revealing its token */
  sessionId: string
  expiresAt: number | null
  iv: Uint8Array<ArrayBuffer>
  data: ArrayBuffer
}

export type Encryptor = {
  /** identifies the login session; the same value in all pages of the session */
  sessionId: string
  seal(key: string, value: unknown, expiresAt: number | null): Promise<EncryptedData>
  /** @throws if the data was sealed in another session or under another key, or is damaged */
  open(key: string, sealed: EncryptedData): Promise<unknown>
}

const bytes = (text: string) => new TextEncoder().encode(text)
const hex = (data: ArrayBuffer) => [...new Uint8Array(data)].map(byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * Creates an encryptor whose key is derived from the session token and never stored. Returns null without HTTPS, where
 * browsers lack WebCrypto.
 */
export async function createEncryptor({ token, userId }: { token: string; userId: number }): Promise<Encryptor | null> {
  const { subtle } = crypto
  if (!subtle) return null
  const secret = await subtle.importKey('raw', bytes(token), 'HKDF', false, ['deriveKey', 'deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: bytes('attendance lists'), info: bytes(String(userId)) }
  const key = await subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const naming = { ...how, salt: bytes('attendance session') }
  const sessionId = hex(await subtle.deriveBits(naming, secret, 64))
  return {
    sessionId,
    seal: async (name, value, expiresAt) => {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const cipher = { name: 'AES-GCM', iv, additionalData: bytes(name) }
      const data = await subtle.encrypt(cipher, key, bytes(JSON.stringify(value)))
      return { kind: 'sealed', sessionId, expiresAt, iv, data }
    },
    open: async (name, { iv, data }) => {
      const cipher = { name: 'AES-GCM', iv, additionalData: bytes(name) }
      return JSON.parse(new TextDecoder().decode(await subtle.decrypt(cipher, key, data)))
    },
  }
}
