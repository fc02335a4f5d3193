import type { Context, Hono } from 'hono'
import { PICTURE_WIDTHS, type PictureWidth } from '#contract/content.ts'
import { contentDisposition } from '#server/http/content-disposition.ts'
import { knownTags } from '#server/http/etag.ts'
import { sendAs } from '#server/http/media-type.ts'
import { notFound } from '#server/http/problems.ts'
import type { StoredFile } from './repository.ts'

export type FoundFile = { file: StoredFile; isPublic: boolean }

/** A file by the name in its address; without its content when its hash is among the known tags. @param width null: as it is */
export type FindStoredFile = (
  name: string,
  knownTags: string[],
  width: PictureWidth | null,
) => Promise<FoundFile | null>

/** Nothing of an opened picture runs. PDF viewers are programs of the browser that a sandbox keeps from starting. */
const policyFor = (mediaType: string) =>
  mediaType === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function storedFileResponse({ file, isPublic }: FoundFile): Response {
  const { mediaType, disposition } = sendAs(file.mediaType)
  const headers = {
    ETag: `"${file.hash}"`,
    // What is private is asked for each time: its permission may have ended.
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

/** The width in the query: null for none, undefined for one that there is not. */
const widthIn = (query: string | undefined): PictureWidth | null | undefined =>
  query === undefined ? null : PICTURE_WIDTHS.find(width => String(width) === query)

/** The app's page for people, JSON for everybody else. */
function missing(c: Context): Response | Promise<Response> {
  if (c.req.header('Accept')?.includes('text/html')) return c.notFound()
  throw notFound()
}

/** Serves stored files below `folder`, as in '/photos': GET and HEAD, 304 for a known copy. */
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
