import { appendFile, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

export const NOTICES = 'third-party-notices.txt'
/**
 * Packages that are shipped but not imported by the app's modules: those of the service worker's build, and the font.
 */
const SHIPPED_BESIDE = ['workbox-core', '@fontsource/barlow-condensed', '@zxcvbn-ts/core']
/** Licences of third-party work in the app. They are written to the build and served at /third-party-notices.txt. */
export const notices = (): Plugin => {
  let packages = ''
  let folder = ''
  return {
    name: 'third-party-notices',
    apply: 'build',
    configResolved({ root, build }) {
      packages = join(root, 'node_modules')
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const icons = await readFile(join(packages, '../src/ui/icons-license.txt'), 'utf8')
      await appendFile(join(folder, NOTICES), `\n## Tabler Icons\n\n${icons.trim()}\n`)
      for (const name of SHIPPED_BESIDE) {
        const at = join(packages, name)
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
