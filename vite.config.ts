import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { company } from './contract/company.ts'
import { PUBLIC_PAGES } from './contract/public-pages.ts'
import packageJson from './package.json' with { type: 'json' }
import manifestDe from './src/app/pwa/manifest.de.json' with { type: 'json' }
import manifestEn from './src/app/pwa/manifest.en.json' with { type: 'json' }
import shell from './src/i18n/de/shell.json' with { type: 'json' }

/** Gives the server the app's own titles and descriptions: who previews a shared link runs no script. */
const pageHeads: Plugin = {
  name: 'page-heads',
  generateBundle() {
    const heads = Object.entries(PUBLIC_PAGES).map(([path, name]) => {
      const description = shell.description[name].replaceAll('{{department}}', company.department.de)
      return [path, { title: `${shell.title[name]} · ${company.portalName}`, description }]
    })
    this.emitFile({ type: 'asset', fileName: 'page-heads.json', source: JSON.stringify(Object.fromEntries(heads)) })
  },
}

const withName = (text: string) => text.replaceAll('{{portal}}', company.portalName)
const MANIFESTS: Record<string, object> = { 'manifest.webmanifest': manifestDe, 'manifest.en.webmanifest': manifestEn }
/** The portal's own name, which stands in contract/company.ts, in what shows before the app and outside of it. */
const portalName: Plugin = {
  name: 'portal-name',
  transformIndexHtml: withName,
  generateBundle() {
    for (const [fileName, manifest] of Object.entries(MANIFESTS))
      this.emitFile({ type: 'asset', fileName, source: withName(JSON.stringify(manifest)) })
  },
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const manifest = MANIFESTS[request.url?.slice(1) ?? '']
      if (!manifest) return next()
      response.setHeader('Content-Type', 'application/manifest+json')
      response.end(withName(JSON.stringify(manifest)))
    })
  },
}

const OURS = /[\\/](?:src|contract|@tabler)[\\/]/
/** The outbox and the lists: they come after the first view. */
const ATTENDANCE = /features[\\/]attendance|contract[\\/]attendance/
/** What only registration, profile and passwords need. */
const FORMS =
  /features[\\/]accounts|contract[\\/](?:profile|billing|password)|components[\\/](?:form|text-field|choice-field|new-password)/

/** The screens that people open first, by the beginning of their address as public/boot.js finds them. */
const FIRST_SCREENS = {
  '/home': 'home-screen',
  '/courses': 'course-list-screen',
  '/course-details': 'course-details-screen',
}
/** Tells public/boot.js which files the first screen needs beside the entry, so that they do not wait for it to run. */
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
      const byAddress = Object.entries(FIRST_SCREENS).map(([path, name]) => [path, filesOf(name)])
      const files = Object.fromEntries([...byAddress, ['de', filesOf('first-de')], ['en', filesOf('first-en')]])
      // The server names them in the page itself; boot.js does so in a page that the device has kept.
      return [
        {
          tag: 'script',
          attrs: { type: 'application/json', id: 'first-files' },
          children: JSON.stringify(files),
          injectTo: 'head-prepend',
        },
      ]
    },
  },
})

/** What the server makes first views with (server/first-views.ts); the styles' names are those of the app. */
const forServer = defineConfig({
  define: { __RELEASE__: JSON.stringify(packageJson.version) },
  plugins: [react()],
  ssr: { noExternal: true },
  build: { ssr: 'src/app/first-view.tsx', copyPublicDir: false, reportCompressedSize: false, target: 'node20' },
})

const forBrowsers = defineConfig({
  define: { __RELEASE__: JSON.stringify(packageJson.version) },
  plugins: [
    react(),
    portalName,
    pageHeads,
    firstFiles(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: null,
      manifest: false,
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['**/*.{js,css,html,woff2,svg,webmanifest}', 'icons/icon-192.png'],
        // Fetched by the few who need them: the password dictionaries, the letters of other languages.
        globIgnores: ['assets/dictionaries/**', 'assets/barlow-condensed-*-normal-*'],
      },
    }),
  ],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Many small files cost a phone a round trip and a kilobyte of headers each: what comes before any screen is one.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 9 },
            { name: 'attendance', test: ATTENDANCE, minShareCount: 2, priority: 8 },
            { name: 'mantine', test: /@mantine/, minShareCount: 2, priority: 7 },
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
