import { createHash } from 'node:crypto'

/** Whether the caller's copy is this one (If-None-Match). A proxy that compresses may have weakened the tag. */
export function hasCopy(request: Request, etag: string): boolean {
  const tags = (request.headers.get('If-None-Match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

/** A public JSON answer that a caller who has it already does not get again; it asks each time. */
export function jsonWithEtag(request: Request, value: unknown): Response {
  const body = JSON.stringify(value)
  const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  if (hasCopy(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } })
}
