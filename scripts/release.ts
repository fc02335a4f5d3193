import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { ensureAppBuilt } from '../server/first-view/app-build.ts'
import { formatPublicKeyFile, signFile } from '../server/operations/upgrade/signature.ts'
import { npm } from './npm.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const target = join(root, 'release')

/** Folders and files of a release, without tests and files that only tests need. */
const PARTS = ['branding', 'contract', 'demo', 'dist', 'docs', 'server', 'packaging', 'scripts/run.mjs']
const PAPERS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', '.npmrc']
const isLeftBehind = (path: string) =>
  /\.test\.tsx?$|\.map(?:\.br|\.gz)?$/.test(path) ||
  /^(?:contract|server)\/test(?:\/|$)|^docs\/screens(?:\/|$)/.test(path)

/** Files of packages that are not needed at run time. Licences are never among them. */
const UNUSED = [
  /\.(?:map|a|d\.[cm]?ts)$/,
  /\/(?:tests?|__tests__|examples?|docs|pgxs|pkgconfig|\.yarn)\//,
  /\/(?:CHANGELOG|HISTORY|README)(?:\.md)?$/i,
  // Browser builds of the same code.
  /\/pdfmake\/build\//,
  /\/pdfkit\/js\/pdfkit\.standalone\.js$/,
  /\/@zxcvbn-ts\/[\w-]+\/(?:src\/|dist\/zxcvbn-ts)/,
]
const isUnused = (path: string) => UNUSED.some(pattern => pattern.test(path)) && !/licen[cs]e|notice/i.test(path)

type Package = {
  name: string
  version: string
  imports: Record<string, string>
  scripts: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * `npm run release`: creates an archive for machines of the same platform, with the built app, the server, imported
 * packages, Node.js and PostgreSQL, but without app sources and build tools.
 */
async function release(): Promise<void> {
  const own: Package = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await refuseReusedVersion(own.version)
  await ensureAppBuilt({ onStart: () => console.log('Building the app …') })
  const name = `${own.name}-${own.version}-${process.platform}-${process.arch}`
  const draft = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    const folder = join(draft, name)
    await mkdir(folder)
    for (const part of [...PARTS, ...PAPERS]) {
      await cp(join(root, part), join(folder, part), {
        recursive: true,
        filter: source => !isLeftBehind(relative(root, source)),
      })
    }
    await installPackages(folder, own)
    const key = await readKey()
    if (key) await writeFile(join(folder, 'packaging/release.pub'), formatPublicKeyFile(key))
    await writeSums(folder)
    await mkdir(target, { recursive: true })
    const file = join(target, `${name}.tar.gz`)
    const sameForAll = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
    await run('tar', [...sameForAll, '-czf', file, '-C', draft, name])
    await cp(join(folder, 'sbom.cdx.json'), join(target, `${name}.cdx.json`))
    const sha256 = await sumOf(file)
    await writeFile(`${file}.sha256`, `${sha256}  ${name}.tar.gz\n`)
    if (key) await writeFile(`${file}.minisig`, await signFile(file, key, `${name}.tar.gz sha256:${sha256}`))
    else console.log('Not signed: RELEASE_KEY names no private key (openssl genpkey -algorithm ed25519)')
    await writeFile(join(target, `${name}.provenance.json`), await describeOrigin(`${name}.tar.gz`, sha256))
    console.log(relative(process.cwd(), file))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Private Ed25519 key in PEM format; null if RELEASE_KEY is not set. */
async function readKey(): Promise<KeyObject | null> {
  const path = process.env.RELEASE_KEY
  return path ? createPrivateKey(await readFile(path)) : null
}

const git = async (...args: string[]) => {
  const { stdout } = await run('git', args, { cwd: root }).catch(() => ({ stdout: '' /* not a repository */ }))
  return stdout.trim()
}

/**
 * Ensures that a version identifies a single commit.
 * @throws Error if the tag `vVERSION` refers to a commit other than the one that is checked out
 */
async function refuseReusedVersion(version: string): Promise<void> {
  const tagged = await git('rev-list', '-n', '1', `v${version}`)
  if (tagged && tagged !== (await git('rev-parse', 'HEAD')))
    throw new Error(
      `version ${version} is already released: tag v${version} is commit ${tagged.slice(0, 8)}; raise "version" in package.json`,
    )
}

async function installPackages(folder: string, own: Package): Promise<void> {
  const imported = await listImported(folder)
  const dependencies = Object.fromEntries(Object.entries(own.dependencies).filter(([name]) => imported.has(name)))
  const scripts = Object.fromEntries(
    Object.entries(own.scripts).filter(([, line]) => line.includes('server/start.mjs')),
  )
  const { devDependencies: _, ...rest } = own
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...rest, scripts, dependencies }, null, 2)}\n`)
  await cp(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  // The lock file determines the versions. Packages that the release does not need are removed afterwards.
  await run(npm.command, [...npm.args, 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  })
  const { stdout } = await run(
    npm.command,
    [...npm.args, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application'],
    {
      cwd: folder,
      maxBuffer: 2 ** 26,
    },
  )
  // Makes the SBOM reproducible: npm would write a new serial number and timestamp each time.
  const { serialNumber: _serial, ...bill } = JSON.parse(stdout)
  delete bill.metadata.timestamp
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
  const node = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
  // Only the executable of the Node package is shipped.
  for (const part of ['include', 'lib', 'share']) await rm(join(node, part), { recursive: true, force: true })
  await removeUnused(join(folder, 'node_modules'))
  for (const name of ['portal', 'portal-command', 'copy-settings']) await chmod(join(folder, 'packaging', name), 0o755)
}

async function removeUnused(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => !entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
  await Promise.all(files.filter(isUnused).map(file => rm(file)))
}

/** Packages imported by the server's files. */
async function listImported(folder: string): Promise<Set<string>> {
  const files = (
    await Promise.all(['server', 'contract'].map(part => readdir(join(folder, part), { recursive: true })))
  )
    .flatMap((names, index) => names.map(name => join(folder, index === 0 ? 'server' : 'contract', name)))
    .filter(name => /\.(?:ts|mjs)$/.test(name))
  const names = new Set<string>()
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    for (const [, name] of text.matchAll(/(?:from|import|resolve)\s*\(?'((?:@[\w.-]+\/)?[\w.-]+)/g))
      names.add(name as string)
  }
  return names
}

async function writeSums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const lines: string[] = []
  for (const file of files) lines.push(`${await sumOf(file)}  ${relative(folder, file)}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Build provenance (in-toto, SLSA). Rebuilding from the same inputs results in the same checksum. */
async function describeOrigin(name: string, sha256: string): Promise<string> {
  const commit = await git('rev-parse', 'HEAD')
  const isChanged = (await git('status', '--porcelain')) !== ''
  const lock = await sumOf(join(root, 'package-lock.json'))
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { platform: process.platform, arch: process.arch },
        internalParameters: { node: process.versions.node, isChanged },
        resolvedDependencies: [
          ...(commit ? [{ name: 'source', digest: { gitCommit: commit } }] : []),
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: 'scripts/release.ts' } },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

await release().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
