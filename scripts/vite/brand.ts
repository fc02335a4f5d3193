import { join } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import type { Plugin } from 'vite'
import { PUBLIC_PAGES } from '#contract/endpoints/public-pages.ts'
import { applyBrandingToFiles, applyBrandingToPage, type FileContents } from '#server/platform/branding/files.ts'
import { readBranding } from '#server/platform/branding/read.ts'
import manifestDe from '../../src/app/pwa/manifest.de.json' with { type: 'json' }
import manifestEn from '../../src/app/pwa/manifest.en.json' with { type: 'json' }

/** Exports the app's titles and descriptions to the server, because link previews do not run scripts. */
export const pageHeads: Plugin = {
  name: 'page-heads',
  async generateBundle() {
    // Imported dynamically because Vite restarts when a static import of its configuration changes.
    const { default: descriptions } = await import('../../src/i18n/de/descriptions.json', { with: { type: 'json' } })
    const { default: shell } = await import('../../src/i18n/de/shell.json', { with: { type: 'json' } })
    const heads = Object.entries(PUBLIC_PAGES).map(([path, name]) => {
      return [path, { title: `${shell.title[name]} · {{portal}}`, description: descriptions[name] }]
    })
    this.emitFile({ type: 'asset', fileName: 'page-heads.json', source: JSON.stringify(Object.fromEntries(heads)) })
  },
}

const MANIFESTS: Record<string, object> = { 'manifest.webmanifest': manifestDe, 'manifest.en.webmanifest': manifestEn }
/** Inserts the branding into the pages during development. In production, the server does this at startup. */
export const brand: Plugin = {
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
    const contents: FileContents = new Map(manifests as [string, Buffer<ArrayBuffer>][])
    await applyBrandingToFiles(contents, readBranding([join(config.root, 'branding')]))
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
      server && applyBrandingToPage(html, readBranding([join(server.config.root, 'branding')]).branding),
  },
}
