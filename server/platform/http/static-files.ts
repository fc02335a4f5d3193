import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { isPageAt } from '#contract/endpoints/public-pages.ts'
import { ALL_PAGE_PATHS } from '#contract/office/pages.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { addPreloadLinks, type FirstView } from './first-files.ts'
import { negotiateEncoding, REVALIDATED } from './headers.ts'
import { type PageHead, renderPageHead } from './page-head.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Response whose headers and bytes are shared by all requests. */
type PrebuiltResponse = {
  status: 200 | 304 | 404
  headers: Readonly<Record<string, string>>
  bytes: Uint8Array<ArrayBuffer> | null
}

/** Compressed variant of a file, created at build time. */
type Variant = {
  encoding: 'br' | 'gzip' | 'identity'
  etag: string
  whole: PrebuiltResponse
  unchanged: PrebuiltResponse
  missing: PrebuiltResponse
}
type StaticFile = { variants: Variant[]; plain: Variant; made: ('br' | 'gzip' | 'identity')[] }

/** Cache-Control for files below /assets/, whose names contain a content hash. */
const FOREVER = 'public, max-age=31536000, immutable'
const INDEX = '/index.html'
/** File generated at build time with the titles and descriptions of the app's pages by path. */
const HEADS = '/page-heads.json'

export type PageOptions = {
  publicUrl: string
  /**
   * returns a page's server-rendered HTML; null for pages without it
   * @param hasQuery the URL has a query, on which the page's content may depend
   */
  firstView?: (path: string, hasQuery: boolean) => Promise<FirstView | null>
  /** applies the operator's branding to the app's files */
  brand?: (contents: Contents) => Promise<void>
  /**
   * returns the metadata of a page that shows content such as a course; 'missing' if the content does not exist, null
   * for the app's default metadata
   */
  describe: (path: string) => Promise<PageHead | 'missing' | null>
  /** resolves when the folder contains the compressed variants, if it does not yet; until then files are sent plain */
  compressed?: Promise<void>
}

const encodings = [
  { suffix: '.br', encoding: 'br' },
  { suffix: '.gz', encoding: 'gzip' },
] as const

/**
 * Serves the built app from memory, so that files of a new build are never mixed with those of the running one. Unknown
 * paths return the app's page with status 404. See docs/decisions/0025.
 */
export async function mountStaticFiles(
  app: Hono,
  folder: string,
  { publicUrl, describe, firstView, brand, compressed }: PageOptions,
): Promise<void> {
  const contents = await readContents(folder)
  await brand?.(contents)
  const index = contents.get(INDEX)
  if (!index) throw new StartError(`The built app in ${folder} has no index.html: remove the folder and start again`)
  const html = Buffer.from(index).toString()
  const heads: Record<string, PageHead> = JSON.parse(Buffer.from(contents.get(HEADS) ?? '{}').toString())
  contents.delete(HEADS)
  const pageAt = await addPreloadLinks(html, contents)
  const makeFile = (path: string, content: Uint8Array<ArrayBuffer>, variants: Contents) =>
    fileOf(path, content, variants, path === INDEX ? pageAt(path, null).headers : {})
  const files = filesOf(contents, makeFile)
  const page = files.get(INDEX)
  if (!page) throw new Error('index.html is no file of the app')
  void compressed?.then(() => addVariants(folder, contents, files, makeFile))
  const kept = keepPages()

  const find = async (path: string, hasQuery: boolean): Promise<StaticFile | null> => {
    const file = files.get(path)
    if (file) return file
    if (!ALL_PAGE_PATHS.some(known => isPageAt(known, path))) return null
    // The page is served even if the database is unavailable, because the app can show data cached on the device.
    const head = heads[path] ?? (await describe(path).catch(() => null))
    if (head === 'missing') return null
    const view = (await firstView?.(path, hasQuery)) ?? null
    const make = () => {
      const { body, headers } = pageAt(path, view)
      if (head) return makePage(renderPageHead(body, head, publicUrl + path), headers)
      return body === html ? page : makePage(body, headers)
    }
    return kept(hasQuery ? `${path}?` : path, `${head?.title}\n${head?.description}\n${head?.picture}`, view, make)
  }
  app.get('*', async c => {
    const file = await find(c.req.path, new URL(c.req.url).search !== '')
    if (!file) return c.notFound()
    const { etag, unchanged, whole } = variantOf(file, c)
    const known = c.req.header('If-None-Match')
    return send(c, known === '*' || known?.includes(etag) ? unchanged : whole)
  })
  app.notFound(c => send(c, variantOf(page, c).missing))
}

type Contents = Map<string, Uint8Array<ArrayBuffer>>
type MakeFile = (path: string, content: Uint8Array<ArrayBuffer>, variants: Contents) => StaticFile

async function readContents(folder: string): Promise<Contents> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const isHidden = (path: string) => path.split(sep).some(part => part.startsWith('.'))
  const paths = entries.filter(
    entry => entry.isFile() && !isHidden(join(relative(folder, entry.parentPath), entry.name)),
  )
  const contents: Contents = new Map()
  for (const { parentPath, name } of paths) {
    const path = join(parentPath, name)
    contents.set(`/${relative(folder, path).split(sep).join('/')}`, new Uint8Array(await readFile(path)))
  }
  return contents
}

/** Adds the compressed variants in the folder to the files that are the same there; the branded ones have their own. */
async function addVariants(
  folder: string,
  contents: Contents,
  files: Map<string, StaticFile>,
  makeFile: MakeFile,
): Promise<void> {
  // A folder that cannot be read any more is being replaced; the files are then sent as they are.
  const present: Contents = await readContents(folder).catch(() => new Map())
  for (const [path, content] of contents) {
    const isSame = !files.get(path)?.made.length && Buffer.compare(present.get(path) ?? new Uint8Array(), content) === 0
    if (files.has(path) && isSame) files.set(path, makeFile(path, content, present))
  }
}

function filesOf(contents: Contents, makeFile: MakeFile): Map<string, StaticFile> {
  const originals = [...contents].filter(([path]) => !/\.(?:br|gz)$/.test(path))
  return new Map(originals.map(([path, content]) => [path, makeFile(path, content, contents)]))
}

const MOST_PAGES = 300

/**
 * Creates a cache of recently requested pages. Each is built and compressed once and kept until its content changes.
 */
function keepPages() {
  type Kept = { head: string; view: FirstView | null; file: StaticFile | Promise<StaticFile> }
  const kept = new Map<string, Kept>()
  return (path: string, head: string, view: FirstView | null, make: () => Kept['file']): Kept['file'] => {
    const known = kept.get(path)
    if (known?.view === view && known.head === head) return known.file
    const file = make()
    kept.delete(path)
    kept.set(path, { head, view, file })
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_PAGES))) kept.delete(oldest)
    return file
  }
}

/**
 * Creates the page for one path. A low compression level is used, because the page is compressed whenever its content
 * changes.
 */
async function makePage(html: string, headers: Record<string, string>): Promise<StaticFile> {
  const content = new Uint8Array(Buffer.from(html))
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  const [br, gz] = await Promise.all([compressBrotli(content, quality), compressGzip(content)])
  const compressed = new Map([
    ['/.html.br', new Uint8Array(br)],
    ['/.html.gz', new Uint8Array(gz)],
  ])
  return fileOf('/.html', content, compressed, headers)
}

/**
 * Creates the response for a file.
 * @param own additional headers of this file, which are sent even with 304
 */
function fileOf(
  path: string,
  content: Uint8Array<ArrayBuffer>,
  contents: Contents = new Map(),
  own: Record<string, string> = {},
): StaticFile {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const mediaType = getMimeType(path) ?? 'application/octet-stream'
  const cacheControl = path.startsWith('/assets/') ? FOREVER : REVALIDATED
  const variantWith = (encoding: Variant['encoding'], bytes: Uint8Array<ArrayBuffer>, etag: string): Variant => {
    const kept = { Vary: 'Accept-Encoding', ETag: etag, 'Cache-Control': cacheControl, ...own }
    const content = {
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      'Content-Type': mediaType,
      'Content-Length': String(bytes.byteLength),
    }
    const unkept = { Vary: 'Accept-Encoding', 'Cache-Control': 'no-store', ...own }
    return {
      encoding,
      etag,
      whole: { status: 200, headers: { ...kept, ...content }, bytes },
      unchanged: { status: 304, headers: kept, bytes: null },
      missing: { status: 404, headers: { ...unkept, ...content }, bytes },
    }
  }
  const variants = encodings.flatMap(({ suffix, encoding }) => {
    const smaller = contents.get(path + suffix)
    return smaller ? [variantWith(encoding, smaller, `"${hash}-${encoding}"`)] : []
  })
  return {
    variants,
    plain: variantWith('identity', content, `"${hash}"`),
    made: variants.map(({ encoding }) => encoding),
  }
}

function variantOf({ variants, plain, made }: StaticFile, c: Context): Variant {
  const best = negotiateEncoding(c.req.header('Accept-Encoding'), made)
  return variants.find(({ encoding }) => encoding === best) ?? plain
}

const send = (c: Context, { status, headers, bytes }: PrebuiltResponse): Response =>
  c.newResponse(bytes, status, { ...headers })
