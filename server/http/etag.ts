import { createHash } from 'node:crypto'

/** The tags of the copies that the caller has (If-None-Match), without quotes. A proxy that compresses may have weakened them. */
export const knownTags = (request: Request): string[] =>
  (request.headers.get('If-None-Match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, '').replaceAll('"', ''))

/** A public JSON answer that a caller who has it already does not get again; it asks each time. */
export function jsonWithEtag(request: Request, value: unknown): Response {
  const body = JSON.stringify(value)
  const tag = createHash('sha1').update(body).digest('base64url')
  const headers = { ETag: `W/"${tag}"`, 'Cache-Control': 'no-cache' }
  if (knownTags(request).includes(tag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } })
}
