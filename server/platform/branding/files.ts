import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { AppBranding, Branding } from '#contract/endpoints/branding.ts'
import { escapeHtml } from '#contract/words.ts'
import { renderColors } from './colors.ts'
import {
  BRANDING_FOLDERS,
  fillPlaceholders,
  type LoadedBranding,
  listFileNames,
  placeholderValuesOf,
  readSites,
} from './read.ts'

export type FileContents = Map<string, Uint8Array<ArrayBuffer>>

const INDEX = '/index.html'
const HEADS = '/page-heads.json'
const WORKER = '/sw.js'
const STYLES = '/branding.css'
const SITES = '/sites.json'
const MANIFESTS = [
  ['/manifest.webmanifest', 'de'],
  ['/manifest.en.webmanifest', 'en'],
] as const
/**
 * Matches the placeholder that vite.config.ts inserts into the service worker's precache list. The server replaces it
 * with the branding files.
 */
const LISTED_HERE = /\{[^{}]*branding-files[^{}]*\}/

/** JSON, escaped for use in a script element. */
const asScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
const asJson = (value: string) => JSON.stringify(value).slice(1, -1)

/**
 * Branding data for the app. Colours and texts are omitted: colours are delivered as a style sheet, and the server
 * renders the texts.
 */
export function toAppBranding({ colors, texts, ...app }: Branding): AppBranding {
  return app
}

/** Inserts the portal's name and branding data into the app's HTML page. */
export function applyBrandingToPage(html: string, branding: Branding): string {
  const values = {
    ...placeholderValuesOf(branding, 'de'),
    description: branding.texts.pageDescription.de,
    brandColor: branding.colors.brand.light,
  }
  const page = fillPlaceholders(html, values, escapeHtml)
  return page.replace('"{{branding}}"', () => asScript(toAppBranding(branding)))
}

function brandManifest(text: string, branding: Branding, language: 'de' | 'en', screenshots: Screenshot[]): string {
  const values = placeholderValuesOf(branding, language)
  const { appName, appDescription } = branding.texts
  const [name, description] = [
    fillPlaceholders(appName[language], values),
    fillPlaceholders(appDescription[language], values),
  ]
  const filled = fillPlaceholders(
    text,
    { ...values, name, description, brandColor: branding.colors.brand.light },
    asJson,
  )
  return JSON.stringify({ ...JSON.parse(filled), screenshots })
}

type Screenshot = { src: string; sizes: string; type: 'image/png'; form_factor: 'narrow' | 'wide' }

/** Width and height of a PNG, read from its IHDR chunk. */
const sizeOf = (png: Uint8Array) => [Buffer.from(png).readUInt32BE(16), Buffer.from(png).readUInt32BE(20)] as const

/** Screenshots for the browser's installation dialog: `screens/{narrow,wide}-{de,en}-NAME.png`. */
const screenshotsOf = (contents: FileContents, language: 'de' | 'en'): Screenshot[] =>
  [...contents].flatMap(([src, png]) => {
    const [, form] = new RegExp(`^/screens/(narrow|wide)-${language}-[\\w-]+\\.png$`).exec(src) ?? []
    if (form !== 'narrow' && form !== 'wide') return []
    return [{ src, sizes: sizeOf(png).join('x'), type: 'image/png', form_factor: form }]
  })

const revisionOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 32)

/**
 * Whether an installed app needs the file offline. Large icons are excluded, because the operating system caches them.
 */
const isKept = (path: string) => !/\.(?:png|ico)$/.test(path) || path === '/icons/icon-192.png'

const TOUCH_ICONS = ['/apple-touch-icon.png', '/apple-touch-icon-precomposed.png']

/** Creates an ICO file from one PNG of at most 255 × 255 pixels. */
function icoOf(png: Uint8Array): Buffer {
  const view = Buffer.from(png)
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  const [width, height] = sizeOf(png)
  header.writeUInt8(width & 255, 6)
  header.writeUInt8(height & 255, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(view.byteLength, 14)
  header.writeUInt32LE(header.byteLength, 18)
  return Buffer.concat([header, view])
}

/** Applies the branding's name, texts, colours and pictures to the app's files and their compressed variants. */
export async function applyBrandingToFiles(
  contents: FileContents,
  { branding, folder }: LoadedBranding,
): Promise<void> {
  const made = new Set<string>()
  const set = (path: string, content: string | Uint8Array) => {
    contents.set(path, new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content))
    made.add(path)
  }
  const change = (path: string, convert: (text: string) => string) => {
    const content = contents.get(path)
    if (content) set(path, convert(Buffer.from(content).toString()))
  }
  for (const name of BRANDING_FOLDERS)
    for (const file of listFileNames(join(folder, name)))
      set(`/${name}/${file}`, await readFile(join(folder, name, file)))
  // Browsers request these paths even if no page links to them.
  const touchIcon = contents.get('/icons/apple-touch-icon.png')
  for (const path of TOUCH_ICONS) if (touchIcon) set(path, touchIcon)
  const icon = contents.get('/icons/icon-192.png')
  if (icon) set('/favicon.ico', icoOf(icon))
  set(STYLES, renderColors(branding.colors))
  set(SITES, JSON.stringify(readSites(folder)))
  change(INDEX, html => applyBrandingToPage(html, branding))
  change(HEADS, heads => fillPlaceholders(heads, placeholderValuesOf(branding, 'de'), asJson))
  for (const [path, language] of MANIFESTS)
    change(path, text => brandManifest(text, branding, language, screenshotsOf(contents, language)))
  change(WORKER, script => listFiles(script, [...made].filter(isKept), contents))
  await Promise.all([...made].map(path => compress(path, contents)))
}

/**
 * Adds the branding files to the service worker's precache list. A change to the branding therefore changes the worker,
 * and devices update as they do for a new version.
 */
const listFiles = (script: string, paths: string[], contents: FileContents) =>
  script.replace(LISTED_HERE, () =>
    paths
      .filter(path => path !== HEADS)
      .map(path => JSON.stringify({ url: path.slice(1), revision: revisionOf(contents.get(path) ?? new Uint8Array()) }))
      .join(','),
  )

const COMPRESSIBLE = /\.(?:html|js|css|svg|json|webmanifest)$/
const SMALLEST = 1024
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function compress(path: string, contents: FileContents): Promise<void> {
  contents.delete(`${path}.br`)
  contents.delete(`${path}.gz`)
  const content = contents.get(path)
  if (!content || content.byteLength < SMALLEST || !COMPRESSIBLE.test(path)) return
  contents.set(`${path}.br`, new Uint8Array(await promisify(brotliCompress)(content, QUALITY)))
  contents.set(`${path}.gz`, new Uint8Array(await promisify(gzip)(content)))
}
