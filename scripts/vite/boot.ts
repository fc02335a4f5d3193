import { readFile } from 'node:fs/promises'
import { type HtmlTagDescriptor, minify, type Plugin } from 'vite'

/** The most frequent first screens by path prefix, as matched by public/boot.js. */
const FIRST_SCREENS = {
  '/home': { name: 'home-screen', data: 'api/course?view=index' },
  '/courses': { name: 'course-list-screen', data: 'api/course?view=index' },
  '/course-details': { name: 'course-details-screen', data: 'api/course?view=index' },
}
/**
 * Passes the files and data that the first screen needs to public/boot.js, so that they are loaded in parallel with the
 * entry script.
 */
export const firstFiles = (): Plugin => ({
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
      const files = Object.fromEntries([
        ...byAddress,
        ['de', filesOf('first-de')],
        ['en', filesOf('first-en')],
        // boot.js loads these files after it has rendered the first content.
        ['later', filesOf('api')],
      ])
      const app = /<script type="module"[^>]* src="([^"]+)"><\/script>/
      // The server adds preload links for these files to the page. If the page is cached, boot.js loads them and starts
      // the app.
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

const BOOT = '<script src="/boot.js"></script>'

/**
 * Inlines public/boot.js, without its comments, into the page. While several portals are upgraded one after the other, a
 * proxy could answer a file of this name from another version.
 */
export const inlineBoot: Plugin = {
  name: 'inline-boot',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html) {
      if (!html.includes(BOOT)) throw new Error(`index.html has no ${BOOT}: the app would not start`)
      const { code } = await minify('boot.js', await readFile('public/boot.js', 'utf8'))
      return html.replace(BOOT, () => `<script>${code.trim()}</script>`)
    },
  },
}
