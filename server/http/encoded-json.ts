import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Encoding, encodingOf } from './encodings.ts'
import { tagsOf } from './etag.ts'
import { type PrebuiltResponse, type Preconditions, preconditionsOf, toResponse } from './prebuilt-response.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Minimum size for compression. Below it there is no gain; a response for one person is compressed for a single use,
 * which pays off only for larger ones.
 */
const MIN_COMPRESSED_BYTES = { everybody: 1024, 'one person': 8192 }

/** Headers of responses that must not be cached. */
export const NO_STORE = { 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, Accept-Language' }

/** Serialized JSON that can be sent repeatedly. */
export type EncodedJson = {
  ready(wanted: Preconditions): Promise<PrebuiltResponse>
  answer(request: Request): Promise<Response>
}

/** Whether a response for one person is sent uncompressed. */
export const isShort = (byteLength: number): boolean => byteLength < MIN_COMPRESSED_BYTES['one person']

/**
 * Compresses lazily, once per encoding, and adds an ETag.
 * @param json as text or UTF-8
 * @param audience `everybody`: cacheable with revalidation; `one person`: not cached
 */
export function encodeJson(json: string | Buffer<ArrayBuffer>, audience: 'everybody' | 'one person'): EncodedJson {
  const isShared = audience === 'everybody'
  const plain = typeof json === 'string' ? Buffer.from(json) : json
  const tag = isShared ? createHash('sha1').update(plain).digest('base64url') : null
  // Plain object: a `Headers` instance would be validated and copied for each response.
  const kept: Record<string, string> = {
    ...NO_STORE,
    ...(isShared && { 'Cache-Control': 'no-cache' }),
    ...(tag && { ETag: `W/"${tag}"` }),
  }
  const unchanged: PrebuiltResponse = { status: 304, headers: kept, bytes: null }
  const made = new Map<Encoding, Promise<PrebuiltResponse>>()

  const compress = (encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> => {
    if (encoding === 'identity') return plain
    if (encoding === 'gzip') return compressGzip(plain, { level: isShared ? 6 : 1 })
    return compressBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isShared ? 5 : 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    })
  }
  const make = async (encoding: Encoding): Promise<PrebuiltResponse> => {
    const bytes = await compress(encoding)
    const length = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }
    const own: Record<string, string> = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
    return { status: 200, headers: { ...kept, ...length, ...own }, bytes }
  }

  const ready = async ({ acceptEncoding, ifNoneMatch }: Preconditions): Promise<PrebuiltResponse> => {
    if (tag && ifNoneMatch && tagsOf(ifNoneMatch).includes(tag)) return unchanged
    const encoding = plain.length < MIN_COMPRESSED_BYTES[audience] ? 'identity' : encodingOf(acceptEncoding)
    const answer = made.get(encoding) ?? make(encoding)
    made.set(encoding, answer)
    return answer
  }
  return { ready, answer: async request => toResponse(await ready(preconditionsOf(request))) }
}

/** Public JSON response with ETag; clients revalidate it on each use and get 304 if unchanged. */
export const jsonWithEtag = (request: Request, value: unknown): Promise<Response> =>
  encodeJson(JSON.stringify(value), 'everybody').answer(request)
