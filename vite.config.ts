import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import packageJson from './package.json' with { type: 'json' }
import { firstFiles, inlineBoot } from './scripts/vite/boot.ts'
import { brand, pageHeads } from './scripts/vite/brand.ts'
import { contractWithoutSchemas } from './scripts/vite/contract.ts'
import { NOTICES, notices } from './scripts/vite/notices.ts'

/** React, and what runs it as soon as its file is read. */
const REACT = /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|app[\\/]create-root\.ts/
const OURS = /[\\/](?:src|contract)[\\/]/
/** The transport of the API client. */
const API = /node_modules[\\/]ky[\\/]|src[\\/]lib[\\/]call\.ts|contract[\\/]endpoints\.ts/
/** The outbox and the lists: they come after the first view. */
const ATTENDANCE = /features[\\/]attendance|contract[\\/]endpoints[\\/]attendance/
/** Of the home page, and of pages that few open: the list and the courses do without. */
const HOME =
  /features[\\/]content[\\/](?:model|components[\\/]content-(?:link|picture))|ui[\\/]picture\.tsx|courses[\\/]components[\\/]course-finder/
/** What only registration, profile and passwords need. */
const FORMS =
  /features[\\/]accounts|contract[\\/](?:rules[\\/](?:profile|password|common)|endpoints[\\/]billing)|src[\\/](?:ui[\\/](?:form|text-field|choice-field|new-password)|lib[\\/]password)/

/** Pages and parts that few people open, and most only after everything is stored on the device. */
const RARE =
  /(?:accessibility|activate|after-first-render|background-services|booking-order|certificate|deletion|inprint|logout|not-found|office|offline|password-change|processing-record|sessions|substitute|superiors|toasts|undo-account)[\w-]*-[0-9a-f]+\.js$/

/** A file for each of them would be more of its name, and of requests, than of words. */
const fewWords = (language: string) =>
  new RegExp(
    `i18n[\\\\/]${language}[\\\\/](?:carousel|consents|contact|course-list|descriptions|gallery|inbox|inprint|plan|reading|site-map|superiors|team)\\.json$`,
  )

/** Short: a page has hundreds of them, and the first view pays for each. */
const css = { modules: { generateScopedName: '[hash:base64:5]' } }

/** What the server makes first views with (server/first-view/first-views.ts); the styles' names are those of the app. */
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
    pageHeads,
    contractWithoutSchemas,
    firstFiles(),
    inlineBoot,
    notices(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: null,
      manifest: false,
      injectManifest: {
        buildPlugins: { vite: [contractWithoutSchemas] },
        rollupFormat: 'iife',
        globPatterns: ['**/*.{js,css,woff2,svg}'],
        // For what is the company's, the page included: the server puts its files here (server/platform/branding/files.ts).
        additionalManifestEntries: [{ url: 'branding-files', revision: null }],
        // Fetched by the few who need them: the password meter, the letters of other languages. The page contains boot.js;
        // only pages of version 2.0.0 request it.
        globIgnores: [
          'boot.js',
          'assets/dictionaries/**',
          'assets/password-strength-worker-*',
          'assets/office/**',
          'assets/barlow-condensed-*-normal-*',
        ],
      },
    }),
  ],
  css,
  build: {
    target: 'es2022',
    modulePreload: {
      // A browser without it fetches a little later.
      polyfill: false,
      // The entry lists what each screen needs: without React, which every page has, and in one order the lists compress
      // better.
      resolveDependencies: (_, files, { hostType }) => {
        if (hostType === 'html') return files
        const [screen, ...others] = files.filter(file => !/(?:react|rolldown-runtime)-[0-9a-f]+\.js$/.test(file))
        // The desk is not stored: once its file has been missing, the WebKit of a later page takes that answer for its preload.
        if (screen?.includes('/office/')) return others.filter(file => !file.endsWith('.js'))
        // The lists of pages that few open are longer than the round trip is worth; their styles have to come with them.
        if (screen && RARE.test(screen)) return [screen, ...others.filter(file => !file.endsWith('.js'))]
        const scripts = others.filter(file => file.endsWith('.js')).sort()
        return [screen, ...scripts, ...others.filter(file => !file.endsWith('.js'))].filter(file => file !== undefined)
      },
    },
    license: { fileName: NOTICES },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // The entry names every chunk, and random letters compress badly: hexadecimal ones are a third shorter.
        hashCharacters: 'hex',
        // Named in a folder that is not precached: what is for the department alone.
        chunkFileNames: ({ name }) => `assets/${name === 'office-layout' ? 'office/' : ''}[name]-[hash:7].js`,
        assetFileNames: ({ names }) =>
          `assets/${names.includes('office-layout.css') ? 'office/' : ''}[name]-[hash:7][extname]`,
        // Many small files cost a phone a round trip and a kilobyte of headers each: what comes before any screen is one.
        codeSplitting: {
          groups: [
            // Read and run in a turn of its own, before the app. See docs/decisions/0064.
            { name: 'react', tags: ['$initial'], test: REACT, priority: 10 },
            { name: 'app', tags: ['$initial'], priority: 9 },
            // Fetched beside the app, after the first content; the attendance chunk imports it, too.
            { name: 'api', test: API, priority: 9 },
            { name: 'home', test: HOME, minShareCount: 2, priority: 8 },
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
            // Who types or taps into the box.
            { name: 'search', test: /courses[\\/]search[\\/](?:search|suggestion|typo)-model/, priority: 7 },
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
