import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type PluginOption } from 'vite'

const ENTRY = 'src/sw/sw.ts'
const FILE = 'sw.js'
const LIST = 'self.__WB_MANIFEST'

type Options = {
  /** whether a file of the build is precached, by its path with forward slashes */
  isPrecached: (path: string) => boolean
  /** entries beside the files of the build */
  added: { url: string; revision: string | null }[]
  plugins: PluginOption[]
}

/** Builds the service worker with the list of files that Workbox precaches. */
export const serviceWorker = ({ isPrecached, added, plugins }: Options): PluginOption => {
  let root = ''
  let folder = ''
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root
      folder = resolve(root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        await build({
          root,
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          plugins,
          build: {
            outDir: folder,
            emptyOutDir: false,
            target: 'es2022',
            rolldownOptions: { input: join(root, ENTRY), output: { format: 'iife', entryFileNames: FILE } },
          },
        })
        const script = await readFile(join(folder, FILE), 'utf8')
        if (script.split(LIST).length !== 2) throw new Error(`${FILE} names ${LIST} not once`)
        const list = JSON.stringify([...(await listFiles(folder, isPrecached)), ...added])
        await writeFile(
          join(folder, FILE),
          script.replace(LIST, () => list),
        )
      },
    },
  }
}

/** Files below assets/ have a hash of their content in their name. */
async function listFiles(folder: string, isPrecached: Options['isPrecached']): Promise<Options['added']> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = names
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(path => path !== FILE && isPrecached(path))
    .sort()
  return Promise.all(
    paths.map(async url => {
      const isHashed = url.startsWith('assets/')
      const revision = isHashed
        ? null
        : createHash('md5')
            .update(await readFile(join(folder, url)))
            .digest('hex')
      return { url, revision }
    }),
  )
}
