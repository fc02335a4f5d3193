import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { getMimeType } from 'hono/utils/mime'
import { defineConfig, type HtmlTagDescriptor, minify, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import type { Endpoint } from './contract/endpoint.ts'
import { PUBLIC_PAGES } from './contract/public-pages.ts'
import packageJson from './package.json' with { type: 'json' }
import { brandContents, brandPage, type Contents } from './server/branding/files.ts'
import { readBrand } from './server/branding/read.ts'
import manifestDe from './src/app/pwa/manifest.de.json' with { type: 'json' }
import manifestEn from './src/app/pwa/manifest.en.json' with { type: 'json' }
import descriptions from './src/i18n/de/descriptions.json' with { type: 'json' }
import shell from './src/i18n/de/shell.json' with { type: 'json' }

/** Gives the server the app's own titles and descriptions: who previews a shared link runs no script. */
const pageHeads: Plugin = {
  name: 'page-heads',
  generateBundle() {
    const heads = Object.entries(PUBLIC_PAGES).map(([path, name]) => {
      return [path, { title: `${shell.title[name]} · {{portal}}`, description: descriptions[name] }]
    })
    this.emitFile({ type: 'asset', fileName: 'page-heads.json', source: JSON.stringify(Object.fromEntries(heads)) })
  },
}

/**
 * A stylesheet that takes from the pieces would bring a copy of them all: they come once, with the file of `piece`, which every
 * screen has.
 */
const piecesOnce: Plugin = {
  name: 'pieces-once',
  transform(code, id) {
    if (!/\.module\.css$/.test(id) || id.endsWith('/components/pieces.module.css')) return null
    const start = code.indexOf('@layer pieces')
    if (start < 0) return null
    let end = code.indexOf('{', start) + 1
    for (let depth = 1; depth > 0 && end < code.length; end += 1)
      depth += code[end] === '{' ? 1 : code[end] === '}' ? -1 : 0
    return { code: code.slice(0, start) + code.slice(end), map: null }
  },
}

const MANIFESTS: Record<string, object> = { 'manifest.webmanifest': manifestDe, 'manifest.en.webmanifest': manifestEn }
/** The server fills in whose portal it is when it starts; while the app is developed, this does. */
const brand: Plugin = {
  name: 'brand',
  generateBundle() {
    for (const [fileName, manifest] of Object.entries(MANIFESTS))
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(manifest) })
  },
  async configureServer({ middlewares, config }) {
    const manifests = Object.entries(MANIFESTS).map(([name, manifest]) => [
      `/${name}`,
      Buffer.from(JSON.stringify(manifest)),
    ])
    const contents: Contents = new Map(manifests as [string, Buffer<ArrayBuffer>][])
    await brandContents(contents, readBrand([join(config.root, 'branding')]))
    middlewares.use((request, response, next) => {
      const content = contents.get(request.url ?? '')
      if (!content) return next()
      response.setHeader('Content-Type', getMimeType(request.url ?? '') ?? 'application/manifest+json')
      response.end(content)
    })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (html, { server }) =>
      server && brandPage(html, readBrand([join(server.config.root, 'branding')]).branding),
  },
}

const CONTRACT = /[\\/]contract[\\/][\w-/\\]+\.ts$/
/** Checked on the phone, too: what comes back out of the outbox. It comes late, and is the part of valibot that the app has. */
const CHECKED_HERE = /[\\/]contract[\\/]attendance\.ts$/
const hasSchemas = async (file: string) => /from 'valibot'/.test(await readFile(file, 'utf8').catch(() => ''))
const isPlain = (value: unknown): boolean =>
  value instanceof RegExp ||
  (typeof value === 'object' ? Object.values(value ?? {}).every(isPlain) : typeof value !== 'function')

/**
 * Of a part of the contract with schemas the app gets what it needs to call, words and numbers. The schemas, by which the server
 * checks, would come with the app's first file, and the library that they are made of.
 * See docs/decisions/0091.
 */
const contractWithoutSchemas: Plugin = {
  name: 'contract-without-schemas',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!importer || !(source.startsWith('#contract/') || CONTRACT.test(importer))) return null
    const found = await this.resolve(source, importer, { skipSelf: true })
    if (!found || !CONTRACT.test(found.id) || CHECKED_HERE.test(found.id)) return null
    // What is whole has its like around it.
    const isWhole = CONTRACT.test(importer) && (await hasSchemas(importer))
    return isWhole || !(await hasSchemas(found.id)) ? null : `${found.id}?data`
  },
  async load(id) {
    const [file = '', query] = id.split('?')
    if (query !== 'data' || !CONTRACT.test(file)) return null
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href)
    return Object.entries(exported)
      .flatMap(([name, value]) => {
        if (typeof value === 'object' && value !== null && 'method' in value) {
          const { method, path, access, response } = value as Endpoint
          const kind = response === null || 'file' in response ? response : {}
          return [`export const ${name} = ${JSON.stringify({ method, path, access, response: kind })}`]
        }
        if (!isPlain(value)) return []
        return [`export const ${name} = ${value instanceof RegExp ? value : JSON.stringify(value)}`]
      })
      .join('\n')
  },
}

/** React, and what runs it as soon as its file is read. */
const REACT = /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|app[\\/]create-root\.ts/
const OURS = /[\\/](?:src|contract)[\\/]/
/** The outbox and the lists: they come after the first view. */
const ATTENDANCE = /features[\\/]attendance|contract[\\/]attendance/
/** What only registration, profile and passwords need. */
const FORMS =
  /features[\\/]accounts|contract[\\/](?:profile|billing|password)|components[\\/](?:form|text-field|choice-field|new-password)/

/** A file for each of them would be more of its name, and of requests, than of words. */
const fewWords = (language: string) =>
  new RegExp(`i18n[\\\\/]${language}[\\\\/](?:contact|descriptions|gallery|inbox|plan|reading|team)\\.json$`)

/** The screens that people open first, by the beginning of their address as public/boot.js finds them. */
const FIRST_SCREENS = {
  '/home': { name: 'home-screen', data: 'api/course?view=index' },
  '/courses': { name: 'course-list-screen', data: 'api/course?view=index' },
  '/course-details': { name: 'course-details-screen', data: 'api/course?view=index' },
}
/** Tells public/boot.js which files and data the first screen needs beside the entry, so that they do not wait for it to run. */
const firstFiles = (): Plugin => ({
  name: 'first-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
      const filesOf = (name: string): string[] => {
        const chunk = chunks.find(chunk => chunk.name === name)
        if (!chunk) throw new Error(`no chunk ${name}: public/boot.js would have nothing to fetch`)
        const needed = [chunk, ...chunks.filter(({ fileName }) => chunk.imports.includes(fileName))]
        const own = needed.filter(({ fileName }) => !html.includes(fileName))
        return own.flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
      }
      const byAddress = Object.entries(FIRST_SCREENS).map(([path, { name, data }]) => [path, [data, ...filesOf(name)]])
      const files = Object.fromEntries([...byAddress, ['de', filesOf('first-de')], ['en', filesOf('first-en')]])
      const app = /<script type="module"[^>]* src="([^"]+)"><\/script>/
      // The server names them in the page itself; boot.js does so in a page that the device has kept, and starts the app.
      const tags: HtmlTagDescriptor[] = [
        {
          tag: 'script',
          attrs: { type: 'application/json', id: 'first-files' },
          children: JSON.stringify(files),
          injectTo: 'head-prepend',
        },
      ]
      const react = chunks.find(({ name }) => name === 'react')?.fileName
      if (!react) throw new Error('no chunk react: it would run with the app, in one turn')
      const named = html.replace(app, (script, file) => {
        const scripts = script.replace(file, `/${react}`) + script
        return `<link rel="modulepreload" crossorigin href="${file}"><template id="app">${scripts}</template>`
      })
      return { html: named, tags }
    },
  },
})

/** public/boot.js stands in the pages themselves: without what is said to its readers. */
const smallBoot: Plugin = {
  name: 'small-boot',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const file = join(dir, 'boot.js')
    const { code } = await minify(file, await readFile(file, 'utf8'))
    await writeFile(file, code)
  },
}

const NOTICES = 'third-party-notices.txt'
/** Shipped without being imported by the app: what another build makes the service worker of, and the font. */
const SHIPPED_BESIDE = ['workbox-core', '@fontsource/barlow-condensed', '@zxcvbn-ts/core']
/** Whose work the app ships has their licence beside it, served at /third-party-notices.txt. */
const notices = (): Plugin => {
  let folder = ''
  return {
    name: 'third-party-notices',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      for (const name of SHIPPED_BESIDE) {
        const at = join(import.meta.dirname, 'node_modules', name)
        const texts = await Promise.all(
          ['LICENSE', 'LICENSE.txt'].map(file => readFile(join(at, file), 'utf8').catch(() => null)),
        )
        const text = texts.find(text => text !== null)
        if (!text) throw new Error(`${name} has no licence to ship`)
        await appendFile(join(folder, NOTICES), `\n## ${name}\n\n${text.trim()}\n`)
      }
    },
  }
}

/** Short: a page has hundreds of them, and the first view pays for each. */
const css = { modules: { generateScopedName: '[hash:base64:5]' } }

/** What the server makes first views with (server/first-views.ts); the styles' names are those of the app. */
const forServer = defineConfig({
  define: { __RELEASE__: JSON.stringify(packageJson.version) },
  plugins: [react()],
  css,
  ssr: { noExternal: true },
  build: { ssr: 'src/app/first-view.tsx', copyPublicDir: false, reportCompressedSize: false, target: 'node20' },
})

const forBrowsers = defineConfig({
  // React has had it since 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  define: { __RELEASE__: JSON.stringify(packageJson.version) },
  plugins: [
    react(),
    brand,
    piecesOnce,
    pageHeads,
    contractWithoutSchemas,
    firstFiles(),
    smallBoot,
    notices(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: null,
      manifest: false,
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['**/*.{js,css,woff2,svg}'],
        // For what is the company's, the page included: the server puts its files here (server/branding/files.ts).
        additionalManifestEntries: [{ url: 'branding-files', revision: null }],
        // Fetched by the few who need them: the password dictionaries, the letters of other languages.
        globIgnores: ['assets/dictionaries/**', 'assets/office/**', 'assets/barlow-condensed-*-normal-*'],
      },
    }),
  ],
  css,
  build: {
    target: 'es2022',
    // A browser without it fetches a little later.
    modulePreload: { polyfill: false },
    license: { fileName: NOTICES },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Named in a folder that is not precached: what is for the department alone.
        chunkFileNames: ({ name }) => `assets/${name === 'desk' ? 'office/' : ''}[name]-[hash:7].js`,
        assetFileNames: ({ names }) => `assets/${names.includes('desk.css') ? 'office/' : ''}[name]-[hash:7][extname]`,
        // Many small files cost a phone a round trip and a kilobyte of headers each: what comes before any screen is one.
        codeSplitting: {
          groups: [
            // Read and run in a turn of its own, before the app. See docs/decisions/0115.
            { name: 'react', tags: ['$initial'], test: REACT, priority: 10 },
            { name: 'app', tags: ['$initial'], priority: 9 },
            { name: 'attendance', test: ATTENDANCE, minShareCount: 2, priority: 8 },
            // Its variables and what they are here: in one file, since the later ones count.
            {
              name: 'mantine',
              test: /@mantine[\\/](?!notifications)|mantine-variables\.css/,
              minShareCount: 2,
              priority: 7,
            },
            // What the few need who have a passkey.
            { name: 'passkeys', test: /@simplewebauthn/, minShareCount: 2, priority: 7 },
            // A screen that needs one icon of several does not need their parts.
            { name: 'icons', test: /@tabler/, minShareCount: 2, priority: 7 },
            // Who types or taps into the box.
            { name: 'search', test: /courses[\\/](?:search|suggestion|typo|word)-model/, priority: 7 },
            ...['de', 'en'].map(language => ({ name: `few-${language}`, test: fewWords(language), priority: 7 })),
            // Before the forms: a group takes along what its files import.
            { name: 'parts', test: id => OURS.test(id) && !FORMS.test(id), minShareCount: 2, priority: 6 },
            { name: 'forms', test: FORMS, minShareCount: 2 },
          ],
        },
      },
    },
  },
  worker: {
    // Its dictionaries are chunks of their own, one language at a time, in a folder that is not precached.
    format: 'es',
    rolldownOptions: { output: { chunkFileNames: 'assets/dictionaries/[name]-[hash].js' } },
  },
})

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? forServer : forBrowsers))
