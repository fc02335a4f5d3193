import type { Context, Hono } from 'hono'
import { PICTURE_WIDTHS, type PictureWidth } from '#contract/content.ts'
import { contentDisposition } from '#server/http/content-disposition.ts'
import { knownTags } from '#server/http/etag.ts'
import { sendAs } from '#server/http/media-type.ts'
import { notFound } from '#server/http/problems.ts'
import type { StoredFile } from './repository.ts'

export type FoundFile = { file: StoredFile; isPublic: boolean }

/** Finds a file by name; without content if its hash is among the known ETags. @param width null: original */
export type FindStoredFile = (
  name: string,
  knownTags: string[],
  width: PictureWidth | null,
) => Promise<FoundFile | null>

/** Opened pictures execute nothing. PDF viewers are browser extensions that a sandbox would block. */
const policyFor = (mediaType: string) =>
  mediaType === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function storedFileResponse({ file, isPublic }: FoundFile): Response {
  const { mediaType, disposition } = sendAs(file.mediaType)
  const headers = {
    ETag: `"${file.hash}"`,
    // Private files are revalidated on each use, because permission may have ended.
    'Cache-Control': isPublic ? 'public, max-age=3600, stale-while-revalidate=604800' : 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policyFor(mediaType),
  }
  if (file.content === null) return new Response(null, { status: 304, headers })
  return new Response(new Uint8Array(file.content), {
    headers: {
      ...headers,
      'Content-Type': mediaType,
      'Content-Length': String(file.content.byteLength),
      'Content-Disposition': contentDisposition(disposition, file.name),
    },
  })
}

/** Requested width: null if none, undefined if unsupported. */
const widthIn = (query: string | undefined): PictureWidth | null | undefined =>
  query === undefined ? null : PICTURE_WIDTHS.find(width => String(width) === query)

/** 404: the app's page for browsers, JSON for other clients. */
function missing(c: Context): Response | Promise<Response> {
  if (c.req.header('Accept')?.includes('text/html')) return c.notFound()
  throw notFound()
}

/** Serves stored files below `folder`, as in '/photos': GET and HEAD, with 304 for a matching ETag. */
export function mountStoredFiles(app: Hono, folder: string, find: FindStoredFile): void {
  app.get(`${folder}/:name`, async c => {
    const name = c.req.param('name') ?? ''
    const width = widthIn(c.req.query('w'))
    if (width === undefined || /\p{Cc}/u.test(name)) return missing(c)
    const found = await find(name, knownTags(c.req.raw), width)
    return found === null ? missing(c) : storedFileResponse(found)
  })
  app.all(`${folder}/*`, missing)
}
