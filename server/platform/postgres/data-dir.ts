import { chmod, chown, lstat, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DATA_FILES } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** Creates DATA_DIR and checks that it is writable. @returns its real path @throws StartError if it is not writable */
export async function prepareDataDir(dataDir: string): Promise<string> {
  try {
    await makeFolder(resolve(dataDir))
    const real = await realpath(dataDir)
    await rm(await makeScratchFolder(real), { recursive: true })
    return real
  } catch (error) {
    throw explainFileError(error, resolve(dataDir))
  }
}

const isRoot = () => process.getuid?.() === 0
/**
 * Mode that lets other accounts traverse the folder. The folder contains personal data, so root uses this mode only
 * until the account for PostgreSQL has been chosen.
 */
const PASSABLE = 0o711
const CLOSED = 0o700

/** Files and folders that the portal creates in DATA_DIR. */
const OURS =
  /^(?:branding|hr|oidc\.json|postgres(?:-lib(?:-\d+)?|-\d+(?:\.\d+)?|\.next|\.upgrade(?:\.\d+)?|\.log.*|\.new-.*)?|outbox|outbox\..*|(?:before|after)-\d.*)$/
const OUR_FILE = new RegExp(`^(?:${DATA_FILES.join('|')})(?:\\.new(?:-\\d+)?)?$`)
const isOursAlone = async (dataDir: string) =>
  (await readdir(dataDir)).every(name => OURS.test(name) || OUR_FILE.test(name))

/**
 * As root, makes DATA_DIR traversable before an account for PostgreSQL is chosen, because mode 0700 would lock out all
 * other accounts.
 */
export async function makeDataDirTraversable(dataDir: string): Promise<void> {
  if (!isRoot() || !(await isOursAlone(dataDir)) || (await stat(dataDir)).uid !== 0) return
  // Mounted folders may not support chmod. In this case, PostgreSQL reports what it cannot access.
  await chmod(dataDir, PASSABLE).catch(() => undefined)
}

/**
 * Restricts DATA_DIR and the mail folder to their owner. A folder with other content belongs to the operator and is not
 * changed.
 */
export async function restrictDataDir(dataDir: string, owner?: { uid: number; gid: number }): Promise<void> {
  if (!(await isOursAlone(dataDir))) return
  for (const folder of [dataDir, join(dataDir, 'outbox')]) {
    // If this is not a folder, it may be a symbolic link that another user has created.
    const isFolder = await lstat(folder)
      .then(found => found.isDirectory())
      .catch(() => false)
    if (!isFolder) continue
    // chown may fail for mounted folders and for folders of another user.
    if (isRoot() && owner) await chown(folder, owner.uid, owner.gid).catch(() => undefined)
    // chmod may fail for mounted folders and for folders of another user, too.
    await chmod(folder, CLOSED).catch(() => undefined)
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` option is not used, because it loops forever on existing folders
 * that allow no new entries, such as /proc.
 */
async function makeFolder(folder: string, mode = isRoot() ? PASSABLE : CLOSED): Promise<void> {
  // If stat fails, mkdir will report the reason.
  const isThere = await stat(folder).then(
    found => found.isDirectory(),
    () => false,
  )
  if (isThere) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder), 0o777)
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = errorFactsOf(error)
    if (code === 'ENOENT') throw new StartError(`${folder} cannot be made: choose another DATA_DIR`, { cause: error })
    // Another process has created the folder concurrently.
    if (code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
  }
}

/** Converts the error of a failed file operation to a StartError. Other errors are returned unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const { code } = errorFactsOf(error)
  const reasons: Record<string, string> = {
    EACCES: `is not accessible for this user: run the portal as its owner, or choose another DATA_DIR`,
    EPERM: `is not accessible for this user: run the portal as its owner, or choose another DATA_DIR`,
    EROFS: `is on a read-only file system: choose another DATA_DIR`,
    ENOTDIR: `is not a folder: choose another DATA_DIR`,
    EEXIST: `is not a folder: choose another DATA_DIR`,
    ENOSPC: `is on a full disk: free some space`,
    EDQUOT: `is over its disk quota: free some space`,
  }
  const reason = code && reasons[code]
  return reason ? new StartError(`${path} ${reason}`, { cause: error }) : error
}
