import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { awaitCompression, compressInBackground, ensureAppBuilt } from './app-build.ts'

let root: string
let builds = 0
const options = () => ({
  root,
  onStart: () => {
    builds++
  },
})

/** Creates a project with three small files and the real packages. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'my app '))
  builds = 0
  await mkdir(join(root, 'src'))
  await symlink(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await writeFile(join(root, 'vite.config.ts'), 'export default {}')
  await writeFile(join(root, 'index.html'), '<!doctype html><script type="module" src="/src/main.ts"></script>')
  await writeFile(join(root, 'src/main.ts'), `document.title = '${'Sport '.repeat(300)}'`)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const drafts = async () => (await readdir(root)).filter(name => name.startsWith('dist.new-'))

test('builds once with compressed files, and again only if a source has changed', async () => {
  const dist = await ensureAppBuilt(options())
  const assets = await readdir(join(dist, 'assets'))
  expect(assets.map(name => name.replace(/-[\w-]+\./, '.')).sort()).toEqual(['index.js', 'index.js.br', 'index.js.gz'])
  await ensureAppBuilt(options())
  await writeFile(join(root, 'src/main.test.ts'), 'a test is no source')
  await ensureAppBuilt(options())
  expect(builds).toBe(1)

  await writeFile(join(root, 'src/main.ts'), "document.title = 'Changed'")
  await ensureAppBuilt(options())
  expect(builds).toBe(2)
  const [script = ''] = (await readdir(join(dist, 'assets'))).filter(name => name.endsWith('.js'))
  expect(await readFile(join(dist, 'assets', script), 'utf8')).toContain('Changed')
})

test('a build is served plain first and compressed later, also after an interruption', {
  tags: 'extended',
}, async () => {
  const dist = await ensureAppBuilt({ ...options(), isCompressedLater: true })
  const variants = async () => (await readdir(join(dist, 'assets'))).filter(name => /\.(?:br|gz)$/.test(name))
  expect(await variants()).toEqual([])
  const later = await awaitCompression(dist)
  await compressInBackground(dist)
  await later?.compressed
  expect(await variants()).toHaveLength(2)
  expect(await awaitCompression(dist)).toBeNull()

  await rm(join(dist, '.packed-from'))
  for (const name of await variants()) await rm(join(dist, 'assets', name))
  await ensureAppBuilt(options())
  expect(await variants()).toHaveLength(2)
  expect(builds).toBe(1)
})

test('a copied project with its build is up to date', async () => {
  await ensureAppBuilt(options())
  const copy = `${root} copy`
  await cp(root, copy, { recursive: true, verbatimSymlinks: true })
  await ensureAppBuilt({ ...options(), root: copy })
  expect(builds).toBe(1)
  await rm(copy, { recursive: true })
})

test('concurrent starts produce one complete build', async () => {
  await mkdir(join(root, 'dist'))
  await writeFile(join(root, 'dist/index.html'), 'an old build')
  await Promise.all([1, 2, 3].map(() => ensureAppBuilt(options())))
  expect(await readFile(join(root, 'dist/index.html'), 'utf8')).toContain('/assets/index-')
  expect(await drafts()).toEqual([])
})

test('a failing build reports the reason in one line and keeps the old build', async () => {
  await ensureAppBuilt(options())
  await writeFile(join(root, 'src/main.ts'), "import './missing.ts'")
  const failure = await ensureAppBuilt(options()).catch(error => error)
  expect(failure.message).toMatch(/^The app cannot be built: [^\n]*missing\.ts/)
  expect(await readFile(join(root, 'dist/index.html'), 'utf8')).toContain('/assets/index-')
  expect(await drafts()).toEqual([])
})

test('the next build removes leftovers of a killed one', async () => {
  await mkdir(join(root, 'dist.new-999999999-abc'))
  await ensureAppBuilt(options())
  expect(await drafts()).toEqual([])
})
