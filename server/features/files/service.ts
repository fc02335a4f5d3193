import type { Context, Hono } from 'hono'
import { PICTURE_WIDTHS, type PictureWidth } from '#contract/endpoints/content.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import {
  contentDisposition,
  ifNoneMatchTags,
  mediaTypeAndDispositionOf,
  REVALIDATED,
} from '#server/platform/http/headers.ts'
import { notFound } from '#server/platform/http/problems.ts'
import { findPictureVariant } from './picture-repository.ts'
import { type FileReference, findFileContent, type StoredFile } from './repository.ts'

type CachedFile = StoredFile & { content: Buffer }

/**
 * Creates an LRU cache of files by content hash, because reading a 1.5 MB flyer from the database takes 40 ms. See
 * docs/decisions/0001.
 * @returns a function that reads a file and optionally resizes a picture; it omits the content if `ifNoneMatchTags`
 * contains the file's hash
 */
export function createFileCache(db: Queryable, maxBytes = 32 * 1024 * 1024) {
  /** least recently used first */
  const cached = new Map<string, CachedFile>()
  let cachedBytes = 0

  const drop = (key: string) => {
    cachedBytes -= cached.get(key)?.content.byteLength ?? 0
    cached.delete(key)
  }
  const store = (key: string, file: CachedFile) => {
    drop(key)
    cached.set(key, file)
    cachedBytes += file.content.byteLength
    for (const oldest of cached.keys()) {
      if (cachedBytes <= maxBytes) break
      drop(oldest)
    }
  }
  const read = async (ref: FileReference, width: PictureWidth | null): Promise<CachedFile | null> => {
    const variant = width && (await findPictureVariant(db, ref, width))
    if (variant) return variant
    const content = await findFileContent(db, ref.hash)
    return content && { ...ref, content }
  }

  return async (
    ref: FileReference,
    ifNoneMatchTags: readonly string[],
    width: PictureWidth | null = null,
  ): Promise<StoredFile | null> => {
    const tags = width ? [`${ref.hash}-${width}`, ref.hash] : [ref.hash]
    const known = tags.find(tag => ifNoneMatchTags.includes(tag))
    if (known) return known === ref.hash ? { ...ref, content: null } : { ...asWebp(ref), hash: known, content: null }
    const key = `${ref.hash}/${width}`
    const file = cached.get(key) ?? (await read(ref, width))
    if (file === null) return null
    store(key, file)
    return file.hash === ref.hash ? { ...file, name: ref.name } : { ...file, ...asWebp(ref), hash: file.hash }
  }
}

/** Resized copies have another media type and file extension. */
const asWebp = ({ name }: FileReference) => ({ name: `${name.replace(/\.\w+$/, '')}.webp`, mediaType: 'image/webp' })

type FoundFile = { file: StoredFile; isPublic: boolean }

/**
 * Finds a file by name; omits the content if one of the client's ETags matches the file's hash.
 * @param width null for the original width
 */
type FindStoredFile = (name: string, ifNoneMatchTags: string[], width: PictureWidth | null) => Promise<FoundFile | null>

/**
 * Content security policy for files, which prevents opened pictures from executing anything. PDFs are not sandboxed,
 * because that would block the browser's PDF viewer.
 */
const policyFor = (mediaType: string) =>
  mediaType === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function storedFileResponse({ file, isPublic }: FoundFile): Response {
  const { mediaType, disposition } = mediaTypeAndDispositionOf(file.mediaType)
  const headers = {
    ETag: `"${file.hash}"`,
    // Private files are revalidated on each use, because the user may have lost the permission to see them.
    'Cache-Control': isPublic ? 'public, max-age=3600, stale-while-revalidate=604800' : REVALIDATED,
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

/** Picture width in the query: null if there is none, undefined if unsupported. */
const widthIn = (query: string | undefined): PictureWidth | null | undefined =>
  query === undefined ? null : PICTURE_WIDTHS.find(width => String(width) === query)

/** Responds with 404: the app's page for browsers, JSON for other clients. */
function missing(c: Context): Response | Promise<Response> {
  if (c.req.header('Accept')?.includes('text/html')) return c.notFound()
  throw notFound()
}

/**
 * Serves stored files below `folder`, for example '/photos'. Responds to GET and HEAD, with 304 for a matching ETag.
 */
export function mountStoredFiles(app: Hono, folder: string, find: FindStoredFile): void {
  app.get(`${folder}/:name`, async c => {
    const name = c.req.param('name') ?? ''
    const width = widthIn(c.req.query('w'))
    if (width === undefined || /\p{Cc}/u.test(name)) return missing(c)
    const found = await find(name, ifNoneMatchTags(c.req.raw), width)
    return found === null ? missing(c) : storedFileResponse(found)
  })
  app.all(`${folder}/*`, missing)
}
