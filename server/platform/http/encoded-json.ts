import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Encoding, ifNoneMatchTags, negotiateEncoding, REVALIDATED } from './headers.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Minimum size in bytes for compression. It is higher for private responses, whose compressed form is used only once.
 */
const MIN_COMPRESSED_BYTES = { shared: 1024, private: 8192 }

const VARY = 'Accept-Encoding, Accept-Language'
const CONTENT_TYPE = 'application/json'

/** Encoded public JSON that can be sent to many clients. */
export type EncodedJson = { answer(request: Request): Promise<Response> }

type Bytes = Uint8Array<ArrayBuffer>

function compress(plain: Buffer<ArrayBuffer>, encoding: Encoding, levels: { br: number; gzip: number }) {
  if (encoding === 'identity') return plain
  if (encoding === 'gzip') return compressGzip(plain, { level: levels.gzip })
  return compressBrotli(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: levels.br,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  })
}

const contentHeaders = (encoding: Encoding, length: number): Record<string, string> => ({
  'Content-Type': CONTENT_TYPE,
  'Content-Length': String(length),
  ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
})

/**
 * Encodes public JSON with an ETag. Clients revalidate it on each use and get 304 if it is unchanged. It is compressed
 * on demand, once per encoding.
 */
export function encodeJson(json: string): EncodedJson {
  const plain = Buffer.from(json)
  const tag = createHash('sha1').update(plain).digest('base64url')
  // The headers are plain objects, because a `Headers` instance would be validated and copied for each response.
  const cached = { 'Cache-Control': REVALIDATED, Vary: VARY, ETag: `W/"${tag}"` }
  const prebuilt = new Map<Encoding, Promise<{ bytes: Bytes; headers: Record<string, string> }>>()

  const build = async (encoding: Encoding) => {
    const bytes = await compress(plain, encoding, { br: 5, gzip: 6 })
    return { bytes, headers: { ...cached, ...contentHeaders(encoding, bytes.length) } }
  }
  return {
    async answer(request) {
      if (ifNoneMatchTags(request).includes(tag)) return new Response(null, { status: 304, headers: { ...cached } })
      const encoding =
        plain.length < MIN_COMPRESSED_BYTES.shared
          ? 'identity'
          : negotiateEncoding(request.headers.get('Accept-Encoding'))
      const building = prebuilt.get(encoding) ?? build(encoding)
      prebuilt.set(encoding, building)
      const { bytes, headers } = await building
      return new Response(bytes, { headers: { ...headers } })
    },
  }
}

/**
 * Creates a public JSON response with an ETag for a single request. For JSON that is sent repeatedly, use `encodeJson`,
 * which caches the compressed bytes.
 */
export const jsonResponseWithEtag = (request: Request, value: unknown): Promise<Response> =>
  encodeJson(JSON.stringify(value)).answer(request)

/**
 * Creates a JSON response for a single person, which must not be cached.
 * @param json JSON as a string or UTF-8 bytes
 */
export async function privateJsonResponse(request: Request, json: string | Buffer<ArrayBuffer>): Promise<Response> {
  const length = Buffer.byteLength(json)
  const headers = { 'Cache-Control': 'no-store', Vary: VARY }
  // Short JSON remains a string, which Node sends in one packet with the headers.
  if (length < MIN_COMPRESSED_BYTES.private)
    return new Response(json, { headers: { ...headers, ...contentHeaders('identity', length) } })
  const encoding = negotiateEncoding(request.headers.get('Accept-Encoding'))
  const bytes = await compress(Buffer.from(json), encoding, { br: 1, gzip: 1 })
  return new Response(bytes, { headers: { ...headers, ...contentHeaders(encoding, bytes.length) } })
}

/** Creates a JSON response for a single person, or 304 if the client states that it has exactly this response. */
export async function privateJsonResponseWithEtag(request: Request, value: unknown): Promise<Response> {
  const json = JSON.stringify(value)
  const tag = createHash('sha1').update(json).digest('base64url')
  const isUnchanged = ifNoneMatchTags(request).includes(tag)
  const response = isUnchanged
    ? new Response(null, { status: 304, headers: { 'Cache-Control': 'no-store', Vary: VARY } })
    : await privateJsonResponse(request, json)
  response.headers.set('ETag', `W/"${tag}"`)
  return response
}
