import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setPriority, constants as systemConstants } from 'node:os'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { buildEnvironment } from '#server/platform/config/config.ts'
import { isProcessAlive } from '#server/platform/postgres/scratch-folder.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import type { ReportProgress } from '#server/platform/process/progress.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const projectRoot = join(import.meta.dirname, '../..')
const config = ['vite.config.ts', 'scripts/vite', 'package.json', 'package-lock.json']
const sources = ['src', 'contract', 'public', 'index.html', ...config]
/** Folder within the built app that contains the code for server-side rendering. It is not served to clients. */
export const FIRST_VIEW_FOLDER = '.first-view'
const FIRST_VIEW_ENTRY = 'src/app/first-view.tsx'
const COMPRESSION_POLL_MS = 500
const hashFile = '.built-from'
/** Written last when a build has been compressed; contains the same hash. */
const packedFile = '.packed-from'
const draftPrefix = 'dist.new-'

export type BuildOptions = {
  root?: string
  /** called before a build, which takes several seconds */
  onStart?: () => void
  /** called for each file that is compressed */
  report?: ReportProgress
  signal?: AbortSignal
  /** leaves the files uncompressed, for `compressInBackground` */
  isCompressedLater?: boolean
}

/**
 * Builds the app unless `dist` matches the current sources. A release contains no sources and is never built. Several
 * processes may start concurrently. See docs/decisions/0015.
 * @throws StartError if the build fails
 */
export async function ensureAppBuilt(options: BuildOptions = {}): Promise<string> {
  const dist = await buildIfOutdated(options)
  if (!options.isCompressedLater) await compressApp(dist, options.report)
  return dist
}

async function buildIfOutdated({ root = projectRoot, onStart, signal }: BuildOptions): Promise<string> {
  const dist = join(root, 'dist')
  if (!(await isThere(join(root, 'src')))) {
    if (await isThere(join(dist, hashFile))) return dist
    throw new StartError(`${dist} holds no built app, and no sources lie beside it: unpack the release again`)
  }
  const hash = await hashSources(root)
  if ((await readHash(dist)) === hash) return dist
  onStart?.()
  await removeAbandoned(root)
  const draft = await mkdtemp(join(root, `${draftPrefix}${process.pid}-`)).catch(cause => {
    throw new StartError(
      `The app cannot be built: ${root} is not writable (${cause.code}); run npm run build as its owner`,
      { cause },
    )
  })
  // The code for server-side rendering is built in a separate temporary folder, because each build first empties its
  // target folder.
  const views = `${draft}-views`
  const hasFirstView = await isThere(join(root, FIRST_VIEW_ENTRY))
  try {
    await chmod(draft, 0o755)
    await Promise.all([
      runVite(root, draft, signal),
      hasFirstView && runVite(root, views, signal, '--ssr', FIRST_VIEW_ENTRY),
    ])
    if (hasFirstView) await rename(views, join(draft, FIRST_VIEW_FOLDER))
    await writeFile(join(draft, hashFile), hash)
    await replaceBuild(draft, dist, hash)
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(views, { recursive: true, force: true })
  }
  return dist
}

/** A file that cannot be accessed is treated as missing. */
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

// If the hash file cannot be read, the app has not been built yet.
const readHash = (dist: string, file = hashFile) => readFile(join(dist, file), 'utf8').catch(() => null)

/**
 * Hashes file names and contents rather than timestamps, so that a fresh copy or checkout of the sources needs no
 * build.
 */
async function hashSources(root: string): Promise<string> {
  const files = (await Promise.all(sources.map(source => listFiles(join(root, source))))).flat()
  const names = files.filter(file => !/\.test\.tsx?$/.test(file)).sort()
  const hash = createHash('sha256')
  for (const file of names) {
    const content = await readFile(file)
    hash.update(`${relative(root, file).split(sep).join('/')} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

async function listFiles(path: string): Promise<string[]> {
  // Some of the listed files are optional and may be missing.
  const info = await stat(path).catch(() => null)
  if (!info?.isDirectory()) return info ? [path] : []
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** Runs Vite in a child process, whose memory is released before the portal runs. */
async function runVite(
  root: string,
  outDir: string,
  signal: AbortSignal | undefined,
  ...options: string[]
): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [
    vite,
    'build',
    '--configLoader',
    'native',
    '--outDir',
    outDir,
    '--emptyOutDir',
    '--logLevel',
    'warn',
    ...options,
  ]
  const child = spawn(process.execPath, args, { cwd: root, env: buildEnvironment(), signal, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new StartError(`The app cannot be built: ${firstError(output)}`)
}

function firstError(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n')
  const at = lines.findIndex(line => /error/i.test(line))
  return lines
    .slice(Math.max(at, 0))
    .filter(line => line.trim())
    .slice(0, 3)
    .join(' ')
}

const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt', '.map'])
const smallest = 512

/** Blocks of 128 KiB make the first scripts a few bytes smaller than the default does. */
const brotliParams = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_LGBLOCK]: 17,
}

const isCompressed = async (dist: string) => {
  const [built, packed] = await Promise.all([readHash(dist), readHash(dist, packedFile)])
  return built === null || built === packed
}

/**
 * Waits until the files of a build have been compressed.
 * @returns null if they are already; otherwise a promise that never resolves if another build replaces this one before
 */
export async function awaitCompression(dist: string): Promise<{ compressed: Promise<void> } | null> {
  if (await isCompressed(dist)) return null
  const hash = await readHash(dist)
  const compressed = new Promise<void>(resolve => {
    const poll = setInterval(async () => {
      if ((await readHash(dist)) !== hash) clearInterval(poll)
      else if (await isCompressed(dist)) {
        clearInterval(poll)
        resolve()
      }
    }, COMPRESSION_POLL_MS)
    poll.unref()
  })
  return { compressed }
}

/**
 * Compresses a build in another process, at low priority, while its files are already served. This process may have
 * lost the permission to write there.
 */
export async function compressInBackground(dist: string): Promise<void> {
  if (await isCompressed(dist)) return
  const code = `const { compressApp } = await import(${JSON.stringify(import.meta.url)}); await compressApp(process.argv[1])`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, dist], { stdio: 'ignore' })
  child.on('error', () => undefined)
  try {
    if (child.pid) setPriority(child.pid, systemConstants.priority.PRIORITY_LOW)
  } catch {
    // It runs at normal priority.
  }
  child.unref()
}

/**
 * Writes a `.br` and a `.gz` variant of each file of a build that compression makes smaller, so that nothing is
 * compressed per request. Each variant appears complete, since portals may read the folder at the same time.
 */
export async function compressApp(dist: string, report?: ReportProgress): Promise<void> {
  if (await isCompressed(dist)) return
  const hash = await readHash(dist)
  const write = async (path: string, content: Uint8Array | string) => {
    const draft = join(dirname(path), `.${randomUUID()}-${basename(path)}`)
    await writeFile(draft, content)
    await rename(draft, path)
  }
  const compress = async (file: string) => {
    const content = await readFile(file)
    if (content.length < smallest) return
    await write(`${file}.br`, await promisify(brotliCompress)(content, { params: brotliParams }))
    await write(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
  }
  const isServed = (file: string) => compressible.has(extname(file)) && !relative(dist, file).startsWith('.')
  try {
    const files = (await listFiles(dist)).filter(isServed)
    let done = 0
    await Promise.all(
      files.map(async file => {
        await compress(file)
        report?.(`Compressing files ${++done} of ${files.length}`)
      }),
    )
    await write(join(dist, packedFile), hash ?? '')
  } catch (error) {
    // Another process may replace the build at the same time, and compresses its own.
    if ((await readHash(dist)) === hash) throw error
  }
}

/** Renames the temporary folder to `dist`; another process may do the same concurrently. */
async function replaceBuild(draft: string, dist: string, hash: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await rename(draft, dist)
    } catch (error) {
      const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorFactsOf(error).code)
      if (!isTaken) throw error
    }
    if ((await readHash(dist)) === hash) return
    const old = `${draft}-old`
    await rename(dist, old).catch(error => {
      if (error.code !== 'ENOENT') throw error
    })
    await rm(old, { recursive: true, force: true })
  }
  throw new StartError(`${dist} cannot be replaced: another program keeps changing it`)
}

/** Removes temporary folders of interrupted builds. */
async function removeAbandoned(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = name.startsWith(draftPrefix) && Number.parseInt(name.slice(draftPrefix.length), 10)
    if (pid && !isProcessAlive(pid)) await rm(join(root, name), { recursive: true, force: true })
  }
}
