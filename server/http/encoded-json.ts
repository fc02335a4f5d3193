import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Encoding, encodingOf } from './encodings.ts'
import { knownTags } from './etag.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Smaller answers gain nothing; those for one person, compressed for each of them, gain less than that takes. */
const MIN_COMPRESSED_BYTES = { everybody: 1024, 'one person': 8192 }

/** Headers of an answer that nobody keeps. */
export const NOT_KEPT = { 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, Accept-Language' }

/** An answer that is ready to be sent as often as asked for. */
export type EncodedJson = {
  answer(request: Request): Promise<Response>
  encode(acceptEncoding: string | null | undefined): Promise<{ encoding: Encoding; bytes: Buffer }>
}

/** Whether an answer for one person is sent as it is. */
export const isShort = (byteLength: number): boolean => byteLength < MIN_COMPRESSED_BYTES['one person']

/**
 * Compresses JSON once per encoding, when first asked for, and knows it by an ETag of its content.
 * @param audience `everybody`: kept by browsers and asked for again each time (304 when unchanged); `one person`: made for
 *   one answer and kept by nobody, so compressed lightly
 */
export function encodeJson(json: string, audience: 'everybody' | 'one person'): EncodedJson {
  const isShared = audience === 'everybody'
  const plain = Buffer.from(json)
  const tag = isShared ? createHash('sha1').update(plain).digest('base64url') : null
  const encoded = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(plain)]])

  const compress = (encoding: Encoding) =>
    encoding === 'br'
      ? compressBrotli(plain, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: isShared ? 5 : 1,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          },
        })
      : compressGzip(plain, { level: isShared ? 6 : 1 })

  const encode = async (acceptEncoding: string | null | undefined) => {
    const encoding = plain.length < MIN_COMPRESSED_BYTES[audience] ? 'identity' : encodingOf(acceptEncoding)
    const bytes = encoded.get(encoding) ?? compress(encoding)
    encoded.set(encoding, bytes)
    return { encoding, bytes: await bytes }
  }

  return {
    encode,
    async answer(request) {
      // Plain names and values: a list of the web's kind would be checked and copied for each caller.
      const headers: Record<string, string> = {
        ...NOT_KEPT,
        ...(isShared && { 'Cache-Control': 'no-cache' }),
        ...(tag && { ETag: `W/"${tag}"` }),
      }
      if (tag && knownTags(request).includes(tag)) return new Response(null, { status: 304, headers })
      const { encoding, bytes } = await encode(request.headers.get('Accept-Encoding'))
      headers['Content-Type'] = 'application/json'
      headers['Content-Length'] = String(bytes.length)
      if (encoding !== 'identity') headers['Content-Encoding'] = encoding
      return new Response(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), { headers })
    },
  }
}

/** A public JSON answer that a caller who has it already does not get again; it asks each time. */
export const jsonWithEtag = (request: Request, value: unknown): Promise<Response> =>
  encodeJson(JSON.stringify(value), 'everybody').answer(request)
