import { parseAccept } from 'hono/utils/accept'

/** Service token from the `Authorization` header (RFC 6750 §2.1); undefined if missing. */
export const bearerTokenIn = (authorization: string | undefined): string | undefined =>
  /^Bearer ([\w-]{40,100})$/i.exec(authorization ?? '')?.[1]

/** Whether the header contains a bearer token in any format, including those of other systems. */
export const hasBearerToken = (authorization: string | undefined): boolean => /^Bearer /i.test(authorization ?? '')

/**
 * ETags in If-None-Match, without quotes and without what compressing proxies add: the prefix `W/` (nginx) or the name of
 * the encoding (mod_deflate, mod_brotli), which they do not remove from requests.
 */
export const ifNoneMatchTags = (request: Request): string[] =>
  (request.headers.get('If-None-Match') ?? '').split(',').map(tag =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replaceAll('"', '')
      .replace(/-(?:gzip|br|zstd)$/, ''),
  )

/**
 * Fallback for clients that do not support `filename*`: the file name in ASCII characters that need no escaping (RFC
 * 6266, appendix D).
 */
const toAscii = (fileName: string): string =>
  fileName
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/gu, '_')

/** Content-Disposition header; the file name may contain any character. */
export function contentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  // RFC 5987 allows fewer characters than encodeURIComponent leaves unescaped.
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${toAscii(fileName.toWellFormed())}"; filename*=UTF-8''${encoded}`
}

/** Media types that browsers may display inline. */
const SHOWN = [
  'application/pdf',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'text/plain',
]

/** Media types that are downloaded and opened in an application. */
const SAVED = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/calendar',
]

/**
 * Media type and disposition of a stored file. All other types, in particular HTML, are downloaded as
 * application/octet-stream.
 */
export function mediaTypeAndDispositionOf(mediaType: string): {
  mediaType: string
  disposition: 'inline' | 'attachment'
} {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isText = type.startsWith('text/')
  const safeType = isText ? `${type}; charset=utf-8` : type
  if (SHOWN.includes(type)) return { mediaType: safeType, disposition: 'inline' }
  return { mediaType: SAVED.includes(type) ? safeType : 'application/octet-stream', disposition: 'attachment' }
}

export type Encoding = 'br' | 'gzip' | 'identity'

const MOST_HEADERS = 200
/** Cache of parsed headers. Browsers send only a few different ones. */
const understood = new Map<string, Set<string>>()

function allowedBy(header: string): Set<string> {
  const known = understood.get(header)
  if (known) return known
  const allowed = new Set(
    parseAccept(header.toLowerCase())
      .filter(({ q }) => q > 0)
      .map(({ type }) => type),
  )
  if (understood.size < MOST_HEADERS) understood.set(header, allowed)
  return allowed
}

/** First of these encodings that an `Accept-Encoding` header allows; `identity` is always allowed. */
export function negotiateEncoding(
  header: string | null | undefined,
  made: readonly Encoding[] = ['br', 'gzip'],
): Encoding {
  const allowed = allowedBy(header ?? '')
  return made.find(encoding => allowed.has(encoding)) ?? 'identity'
}

/**
 * Cache-Control of content that clients keep and revalidate on each use. Shared caches keep none: Squid would answer a
 * revalidation with the whole content instead of 304, and without the XSRF-TOKEN cookie that the response sets.
 */
export const REVALIDATED = 'private, no-cache'
