import { appendFile, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

export const NOTICES = 'third-party-notices.txt'
/** Shipped without being imported by the app: what another build makes the service worker of, and the font. */
const SHIPPED_BESIDE = ['workbox-core', '@fontsource/barlow-condensed', '@zxcvbn-ts/core']
/** Whose work the app ships has their licence beside it, served at /third-party-notices.txt. */
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
