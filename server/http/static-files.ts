import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Context, Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { StartError } from '#server/db/start-error.ts'

/** How a file can be sent; the encodings are those made at the build. */
type Variant = { encoding: 'br' | 'gzip' | null; content: Uint8Array<ArrayBuffer>; etag: string }
type StaticFile = { mediaType: string; cacheControl: string; variants: Variant[] }

/** Names below /assets/ carry a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'
/** A file on the way to becoming a page of the app has no dot in its last part; these folders hold no pages. */
const IS_PAGE = /^\/(?!(?:api|assets|content|photos|thumbnails|icons)\/)(?:.*\/)?[^/.]*$/

const encodings = [
  { suffix: '.br', encoding: 'br' },
  { suffix: '.gz', encoding: 'gzip' },
] as const

/**
 * Serves the built app, read into memory once: a new build put in place meanwhile never mixes with the running one, and no
 * request reaches the disk. Addresses of the app's routes answer index.html.
 */
export async function mountStaticFiles(app: Hono, folder: string): Promise<void> {
  const files = await readStaticFiles(folder)
  const page = files.get('/index.html')
  if (!page) throw new StartError(`The built app in ${folder} has no index.html: remove the folder and start again`)
  app.get('*', c => {
    const file = files.get(c.req.path) ?? (IS_PAGE.test(c.req.path) ? page : null)
    return file ? send(c, file) : c.notFound()
  })
  app.notFound(c => c.text('Not found', 404, { 'Cache-Control': 'no-store' }))
}

async function readStaticFiles(folder: string): Promise<Map<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile() && !entry.name.startsWith('.'))
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { parentPath, name } of paths) {
    const path = join(parentPath, name)
    contents.set(`/${relative(folder, path).split(sep).join('/')}`, new Uint8Array(await readFile(path)))
  }
  const originals = [...contents.keys()].filter(path => !/\.(?:br|gz)$/.test(path))
  return new Map(originals.map(path => [path, describe(path, contents)]))
}

function describe(path: string, contents: Map<string, Uint8Array<ArrayBuffer>>): StaticFile {
  const content = contents.get(path) ?? new Uint8Array()
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const compressed = encodings.flatMap(({ suffix, encoding }) => {
    const smaller = contents.get(path + suffix)
    return smaller ? [{ encoding, content: smaller, etag: `"${hash}-${encoding}"` }] : []
  })
  return {
    mediaType: getMimeType(path) ?? 'application/octet-stream',
    cacheControl: path.startsWith('/assets/') ? FOREVER : 'no-cache',
    variants: [...compressed, { encoding: null, content, etag: `"${hash}"` }],
  }
}

function send(c: Context, { mediaType, cacheControl, variants }: StaticFile): Response {
  const accepted = c.req.header('Accept-Encoding') ?? ''
  const variant = variants.find(({ encoding }) => encoding === null || accepts(accepted, encoding)) as Variant
  const headers: Record<string, string> = { ETag: variant.etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' }
  const known = c.req.header('If-None-Match') ?? ''
  if (known === '*' || known.includes(variant.etag)) return c.body(null, 304, headers)
  if (variant.encoding) headers['Content-Encoding'] = variant.encoding
  headers['Content-Type'] = mediaType
  headers['Content-Length'] = String(variant.content.byteLength)
  return c.body(variant.content, 200, headers)
}

const accepts = (header: string, encoding: string) =>
  header.split(',').some(part => {
    const [name = '', ...options] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    return name === encoding && !options.some(option => /^q=0(?:\.0*)?$/.test(option))
  })
