import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Encoding, encodingOf } from './encodings.ts'
import { tagsOf } from './etag.ts'
import { type ReadyAnswer, responseOf, type Wanted, wantedOf } from './ready.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Smaller answers gain nothing; those for one person, compressed for each of them, gain less than that takes. */
const MIN_COMPRESSED_BYTES = { everybody: 1024, 'one person': 8192 }

/** Headers of an answer that nobody keeps. */
export const NOT_KEPT = { 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, Accept-Language' }

/** JSON that is sent as often as asked for. */
export type EncodedJson = {
  ready(wanted: Wanted): Promise<ReadyAnswer>
  answer(request: Request): Promise<Response>
}

/** Whether an answer for one person is sent as it is. */
export const isShort = (byteLength: number): boolean => byteLength < MIN_COMPRESSED_BYTES['one person']

/**
 * Compressed once an encoding, known by an ETag.
 * @param json as text, or its UTF-8
 * @param audience `everybody`: kept, and asked for again; `one person`: kept by nobody
 */
export function encodeJson(json: string | Buffer<ArrayBuffer>, audience: 'everybody' | 'one person'): EncodedJson {
  const isShared = audience === 'everybody'
  const plain = typeof json === 'string' ? Buffer.from(json) : json
  const tag = isShared ? createHash('sha1').update(plain).digest('base64url') : null
  // Plain names and values: a list of the web's kind would be checked and copied for each caller.
  const kept: Record<string, string> = {
    ...NOT_KEPT,
    ...(isShared && { 'Cache-Control': 'no-cache' }),
    ...(tag && { ETag: `W/"${tag}"` }),
  }
  const unchanged: ReadyAnswer = { status: 304, headers: kept, bytes: null }
  const made = new Map<Encoding, Promise<ReadyAnswer>>()

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
  const make = async (encoding: Encoding): Promise<ReadyAnswer> => {
    const bytes = await compress(encoding)
    const length = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }
    const own: Record<string, string> = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
    return { status: 200, headers: { ...kept, ...length, ...own }, bytes }
  }

  const ready = async ({ acceptEncoding, ifNoneMatch }: Wanted): Promise<ReadyAnswer> => {
    if (tag && ifNoneMatch && tagsOf(ifNoneMatch).includes(tag)) return unchanged
    const encoding = plain.length < MIN_COMPRESSED_BYTES[audience] ? 'identity' : encodingOf(acceptEncoding)
    const answer = made.get(encoding) ?? make(encoding)
    made.set(encoding, answer)
    return answer
  }
  return { ready, answer: async request => responseOf(await ready(wantedOf(request))) }
}

/** A public JSON answer that a caller who has it already does not get again; it asks each time. */
export const jsonWithEtag = (request: Request, value: unknown): Promise<Response> =>
  encodeJson(JSON.stringify(value), 'everybody').answer(request)
