import { execFile } from 'node:child_process'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commandLine, executableSearchPath } from '#server/platform/config/config.ts'
import { systemServerPaths } from '#server/platform/postgres/binaries.ts'

/** Timeout in ms for querying a version, long enough for a busy machine. */
const PATIENCE_MS = 5_000
/** Age in days from which the portal warns about an old cluster. */
const KEPT_DAYS = 7
const DAY_MS = 86_400_000

type Numbers = [major: number, minor: number, patch: number]
const numbersOf = (version: string): Numbers | null => {
  const [, major, minor, patch = '0'] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** Whether the other version is newer but has the same major version. Other major versions may be incompatible. */
export function isOutdatedVersion(own: string, other: string): boolean {
  const [mine, its] = [numbersOf(own), numbersOf(other)]
  if (mine === null || its === null || mine[0] !== its[0]) return false
  return mine[1] < its[1] || (mine[1] === its[1] && mine[2] < its[2])
}

/** Version reported by a program; null if it cannot be executed. */
const ask = async (file: string): Promise<string | null> => {
  try {
    return (await promisify(execFile)(file, ['--version'], { timeout: PATIENCE_MS })).stdout.trim()
  } catch {
    // A program that is missing or cannot be executed does not need a warning.
    return null
  }
}

/** Finds the system's Node.js in PATH, skipping the executables of npm packages that npm puts first. */
async function findSystemNode(): Promise<string | null> {
  for (const folder of executableSearchPath().filter(name => !name.includes('node_modules'))) {
    const file = await realpath(join(folder, 'node')).catch(() => null /* none here */)
    if (file !== null && file !== process.execPath) return file
  }
  return null
}

/**
 * Describes outdated components and leftovers of an upgrade, one line for each.
 * @param postgres version of the embedded server; null for an external database
 * @param servers where to search for newer PostgreSQL servers
 */
export async function describeOutdatedVersions(
  postgres: string | null,
  dataDir: string,
  servers: string[] = systemServerPaths(`${postgres && numbersOf(postgres)?.[0]}`),
): Promise<string[]> {
  const lines: string[] = []
  const { node } = process.versions
  const systemNode = process.execPath.includes('node_modules') && (await findSystemNode())
  const newerNode = systemNode && (await ask(systemNode))
  if (systemNode && newerNode && isOutdatedVersion(node, newerNode))
    lines.push(
      `Node.js ${node} came with the portal, and this machine has ${newerNode.replace('v', '')}, in which faults are mended: update the portal, or start it with that one (${systemNode} server/start.mjs).`,
    )
  for (const server of postgres === null ? [] : servers) {
    const newer = await ask(server)
    if (postgres && newer && isOutdatedVersion(postgres, newer))
      lines.push(
        `PostgreSQL ${postgres} came with the portal, and this machine has ${newer.replace(/^\D*/, '').split(' ')[0]}, in which faults are mended: update the portal, or move its rows to that one (${commandLine('move')}).`,
      )
  }
  return [...lines, ...(await describeKept(dataDir))]
}

/** Warns about data kept by an upgrade, which still contains personal data that has been deleted since. */
async function describeKept(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [] /* A missing folder contains no leftovers. */)
  const lines: string[] = []
  for (const name of names.filter(name => /^(?:postgres-\d+(?:\.\d+)?|(?:before|after)-\d.*)$/.test(name)).sort()) {
    const folder = join(dataDir, name)
    const { mtimeMs } = await stat(folder)
    const days = Math.floor((Date.now() - mtimeMs) / DAY_MS)
    if (days >= KEPT_DAYS)
      lines.push(
        `${folder} is ${name.startsWith('after') ? 'what a release wrote that was taken back' : 'the database as it was before an upgrade'} ${days} days ago, with personal data, deleted ones too. When all is well, remove it: rm -r '${folder}'`,
      )
  }
  return lines
}
