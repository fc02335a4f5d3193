import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import packageJson from './package.json' with { type: 'json' }

export default defineConfig({
  define: { __RELEASE__: JSON.stringify(packageJson.version) },
  plugins: [
    react(),
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
