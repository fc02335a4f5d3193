import { chmod, chown, lstat, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DATA_FILES } from '#server/data-files.ts'
import { factsOf } from '#server/error-facts.ts'
import { StartError } from '#server/start-error.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/** Makes DATA_DIR, and proves that files can be made in it. @returns its real path @throws StartError if they cannot */
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
/** Everything in it holds personal data. Root lets others pass through until it knows as whom PostgreSQL runs. */
const PASSABLE = 0o711
const CLOSED = 0o700

/** What the portal puts into DATA_DIR. */
const OURS =
  /^(?:branding|hr|oidc\.json|postgres(?:-lib(?:-\d+)?|-\d+(?:\.\d+)?|\.next|\.upgrade(?:\.\d+)?|\.log.*|\.new-.*)?|outbox|outbox\..*)$/
const OUR_FILE = new RegExp(`^(?:${DATA_FILES.join('|')})(?:\\.new(?:-\\d+)?)?$`)
const isOursAlone = async (dataDir: string) =>
  (await readdir(dataDir)).every(name => OURS.test(name) || OUR_FILE.test(name))

/** For root, before it looks for an account to run PostgreSQL: a folder of its own that is closed already would keep all out. */
export async function openDataDir(dataDir: string): Promise<void> {
  if (!isRoot() || !(await isOursAlone(dataDir)) || (await stat(dataDir)).uid !== 0) return
  // A mounted folder may refuse: PostgreSQL then says what it cannot read.
  await chmod(dataDir, PASSABLE).catch(() => undefined)
}

/** Closes DATA_DIR and the mail folder to all but their owner. With something else in it, a folder is the operator's and stays. */
export async function closeDataDir(dataDir: string, owner?: { uid: number; gid: number }): Promise<void> {
  if (!(await isOursAlone(dataDir))) return
  for (const folder of [dataDir, join(dataDir, 'outbox')]) {
    // What is no folder may be a link that somebody else than root has put there.
    const isFolder = await lstat(folder)
      .then(found => found.isDirectory())
      .catch(() => false)
    if (!isFolder) continue
    // A mounted folder, or one of another user, may refuse.
    if (isRoot() && owner) await chown(folder, owner.uid, owner.gid).catch(() => undefined)
    // … this, too.
    await chmod(folder, CLOSED).catch(() => undefined)
  }
}

/** Parents first. Node's own `recursive` never ends where a folder exists but takes no new one, as below /proc. */
async function makeFolder(folder: string, mode = isRoot() ? PASSABLE : CLOSED): Promise<void> {
  // What cannot be looked at is made, and that says what is wrong.
  const isThere = await stat(folder).then(
    found => found.isDirectory(),
    () => false,
  )
  if (isThere) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder), 0o777)
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = factsOf(error)
    if (code === 'ENOENT') throw new StartError(`${folder} cannot be made: choose another DATA_DIR`, { cause: error })
    // Another process may have been quicker.
    if (code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
  }
}

/** Turns a failed file operation into a StartError; other errors pass. */
export function explainFileError(error: unknown, path: string): unknown {
  const { code } = factsOf(error)
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
