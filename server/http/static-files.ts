import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { ALL_PATHS } from '#contract/office-pages.ts'
import { isPageAt } from '#contract/public-pages.ts'
import { StartError } from '#server/start-error.ts'
import { encodingOf } from './encodings.ts'
import { type PageHead, renderPage } from './page-head.ts'
import { type ReadyAnswer, type Wanted, wantedOf } from './ready.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** How a file can be sent; the encodings are those made at the build. */
type Variant = {
  encoding: 'br' | 'gzip' | 'identity'
  etag: string
  whole: ReadyAnswer
  unchanged: ReadyAnswer
  missing: ReadyAnswer
}
type StaticFile = { variants: Variant[]; plain: Variant; made: ('br' | 'gzip' | 'identity')[] }

/** What of the app is at an address; null where there is no such page. */
export type FindFile = (path: string, hasQuery: boolean, wanted: Wanted) => Promise<ReadyAnswer | null>

/** Names below /assets/ carry a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'
/** Titles and descriptions of the app's own pages by address, made at the build. */
const HEADS = '/page-heads.json'

/** What a page shows before any script has run. */
export type FirstView = {
  /** the beginning of the address, by which the build names the files of the screen */
  screen: string
  markup: string
  /** what the markup needs beside the screen's files, as link elements */
  links: string
}

export type Pages = {
  publicUrl: string
  /** null for pages that come without */
  firstView?: (path: string) => Promise<FirstView | null>
  /** puts into the app whose portal it is */
  brand?: (contents: Contents) => Promise<void>
  /** the head of a page that shows something of the portal's, as a course, or that it is missing; null for the app's usual one */
  describe: (path: string) => Promise<PageHead | 'missing' | null>
}

const encodings = [
  { suffix: '.br', encoding: 'br' },
  { suffix: '.gz', encoding: 'gzip' },
] as const

/**
 * Serves the built app, read into memory once: a new build put in place meanwhile never mixes with the running one, and no
 * request reaches the disk. Addresses of the app's routes answer index.html, with the head of the page; every other address too,
 * which says there that there is no such page, but with the status 404.
 * See docs/decisions/0018.
 */
export async function mountStaticFiles(
  app: Hono,
  folder: string,
  { publicUrl, describe, firstView, brand }: Pages,
): Promise<FindFile> {
  const contents = await readContents(folder)
  await brand?.(contents)
  const index = contents.get('/index.html')
  if (!index) throw new StartError(`The built app in ${folder} has no index.html: remove the folder and start again`)
  const html = Buffer.from(index).toString()
  const heads: Record<string, PageHead> = JSON.parse(Buffer.from(contents.get(HEADS) ?? '{}').toString())
  contents.delete(HEADS)
  const files = filesOf(contents)
  const page = files.get('/index.html')
  if (!page) throw new Error('index.html is no file of the app')
  const withFiles = nameFiles(html)
  const kept = keepPages()

  const find = async (path: string, hasQuery: boolean): Promise<StaticFile | null> => {
    const file = files.get(path)
    if (file) return file
    if (!ALL_PATHS.some(known => isPageAt(known, path))) return null
    // Without the database the page still comes: the app shows what the device has kept.
    const head = heads[path] ?? (await describe(path).catch(() => null))
    if (head === 'missing') return null
    // What follows a question mark changes what the page shows.
    const view = (!hasQuery && (await firstView?.(path))) || null
    const make = () => {
      const body = withFiles(path, view)
      if (head) return pageOf(renderPage(body, head, publicUrl + path))
      return body === html ? page : pageOf(body)
    }
    return kept(path, `${head?.title}\n${head?.description}\n${head?.picture}`, view, make)
  }
  const found: FindFile = async (path, hasQuery, wanted) => {
    const file = await find(path, hasQuery)
    return file && readyOf(file, wanted)
  }

  app.get('*', async c => {
    const ready = await found(c.req.path, new URL(c.req.url).search !== '', wantedOf(c.req.raw))
    return ready ? send(c, ready) : c.notFound()
  })
  app.notFound(c => send(c, variantOf(page, c.req.header('Accept-Encoding')).missing))
  return found
}

type Contents = Map<string, Uint8Array<ArrayBuffer>>

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

function filesOf(contents: Contents): Map<string, StaticFile> {
  const originals = [...contents].filter(([path]) => !/\.(?:br|gz)$/.test(path))
  return new Map(originals.map(([path, content]) => [path, fileOf(path, content, contents)]))
}

/** The screens whose files the build lists, by the beginning of their address. */
const screenOf = (path: string) => (path === '/' ? '/home' : path.replace(/\/\d*$/, ''))
/** German is what the app speaks until it is told otherwise. */
const LANGUAGE = 'de'
const FILES = /id="first-files">(.*?)<\/script>/s
const STYLE = /<link rel="stylesheet"[^>]*>/g
/** Before it is read, a phone takes the page to be 980 px wide, and would fetch larger pictures than it shows. */
const VIEWPORT = /<meta name="viewport"[^>]*>/
/** Where a view's pictures are named. */
const PICTURES = '<!-- pictures -->'
/** What the page does not need to be seen: it comes after what it does. */
const LATER = /<link rel="(?:modulepreload|preload)"[^>]*>/g
const START = /<div id="root">.*?<\/div>/s

/**
 * Puts into the page of an address what its screen needs, so that no file waits for a script to name it, and what it shows
 * first. boot.js and the styles stand in front: whatever comes with them holds back the first paint. The script is the first of
 * them, or it would wait for the styles, and the words of the page for it.
 */
function nameFiles(html: string) {
  const listed: Record<string, string[]> = JSON.parse(FILES.exec(html)?.[1] ?? '{}')
  const styles = html.match(STYLE) ?? []
  const boot = '<script src="/boot.js"></script>'
  const rest = html.replace(STYLE, '').replace(boot, '')
  const linkTo = (file: string) =>
    file.startsWith('api/')
      ? `<link rel="preload" as="fetch" crossorigin="anonymous" href="/${file}">`
      : file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`
  const pages = Object.entries(listed).map(([screen, files]) => {
    const links = [...new Set([...files, ...(listed[LANGUAGE] ?? [])])].map(linkTo)
    const [own, scripts] = [links.filter(link => link.match(STYLE)), links.filter(link => !link.match(STYLE))]
    // What is named here is not for boot.js to name.
    const left = JSON.stringify({ en: listed.en })
    return [
      screen,
      rest
        .replace(FILES, whole => whole.replace(/{.*}/s, () => left))
        .replace(VIEWPORT, meta => [meta, boot, ...styles, ...own, PICTURES].join('\n    '))
        .replace('</head>', end => `${scripts.join('\n    ')}\n  ${end}`),
    ] as const
  })
  const pageOfScreen = new Map(pages)
  return (path: string, view: FirstView | null): string => {
    const page = pageOfScreen.get(screenOf(path))
    if (!page) return html
    if (!view) return page.replace(PICTURES, '')
    return page
      .replace(LATER, link => link.replace('<link', '<link fetchpriority="low"'))
      .replace(PICTURES, () => view.links)
      .replace(START, () => `<div id="root" data-first-view="${view.screen}">${view.markup}</div>`)
  }
}

const MOST_PAGES = 300

/** The pages asked for last, each made and compressed once for as long as what it shows stays the same. */
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

/** A page made for one address: compressed for the answer, so lightly. */
async function pageOf(html: string): Promise<StaticFile> {
  const content = new Uint8Array(Buffer.from(html))
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  const [br, gz] = await Promise.all([compressBrotli(content, quality), compressGzip(content)])
  const compressed = new Map([
    ['/.html.br', new Uint8Array(br)],
    ['/.html.gz', new Uint8Array(gz)],
  ])
  return fileOf('/.html', content, compressed)
}

function fileOf(path: string, content: Uint8Array<ArrayBuffer>, contents: Contents = new Map()): StaticFile {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const mediaType = getMimeType(path) ?? 'application/octet-stream'
  const cacheControl = path.startsWith('/assets/') ? FOREVER : 'no-cache'
  const variantWith = (encoding: Variant['encoding'], bytes: Uint8Array<ArrayBuffer>, etag: string): Variant => {
    const kept = { Vary: 'Accept-Encoding', ETag: etag, 'Cache-Control': cacheControl }
    const content = {
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      'Content-Type': mediaType,
      'Content-Length': String(bytes.byteLength),
    }
    const unkept = { Vary: 'Accept-Encoding', 'Cache-Control': 'no-store' }
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

function variantOf({ variants, plain, made }: StaticFile, acceptEncoding: Wanted['acceptEncoding']): Variant {
  const best = encodingOf(acceptEncoding, made)
  return variants.find(({ encoding }) => encoding === best) ?? plain
}

function readyOf(file: StaticFile, { acceptEncoding, ifNoneMatch }: Wanted): ReadyAnswer {
  const { etag, unchanged, whole } = variantOf(file, acceptEncoding)
  return ifNoneMatch === '*' || ifNoneMatch?.includes(etag) ? unchanged : whole
}

const send = (c: Context, { status, headers, bytes }: ReadyAnswer): Response =>
  c.newResponse(bytes, status, { ...headers })
