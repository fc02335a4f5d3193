import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { company } from './contract/company.ts'
import { PUBLIC_PAGES } from './contract/public-pages.ts'
import packageJson from './package.json' with { type: 'json' }
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

export default defineConfig({
  define: { __RELEASE__: JSON.stringify(packageJson.version) },
  plugins: [
    react(),
    pageHeads,
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
        globIgnores: ['assets/dictionaries/**'],
      },
    }),
  ],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // What nearly every screen needs comes in few files: many small ones cost a phone a round trip each.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /@tabler[\\/]icons-react/ },
            {
              name: 'base',
              test: /[\\/](?:contract|src[\\/]lib)[\\/]|[\\/]src[\\/]features[\\/]\w+[\\/](?:[\w-]+-)?(?:store|api|model|sync|cache|outbox[\w-]*)\.ts$/,
            },
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
