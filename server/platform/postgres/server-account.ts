import { execFile } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { lstat, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import type { PostgresBinaries } from './binaries.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const run = promisify(execFile)

/** Account that runs PostgreSQL. `uid` and `gid` own its files; `prefix` is prepended to the command line. */
export type PostgresAccount = { uid: number; gid: number; prefix: string[] }

const nobodyInside = 65534

/**
 * Chooses the account that runs PostgreSQL, which refuses to run as root. If the portal runs as root, this is the owner
 * of the cluster or its parent folder, `postgres` or `nobody`. If none of them has access, for instance within a home
 * folder with mode 0700, a user namespace maps root to an ordinary user.
 * @param cluster folder of the cluster; null if it does not exist yet
 * @param parent existing folder that contains or will contain the cluster
 * @throws StartError if no account can run PostgreSQL here
 */
export async function choosePostgresAccount(
  cluster: string | null,
  parent: string,
  binaries: PostgresBinaries,
): Promise<PostgresAccount> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const ourselves = { uid, gid, prefix: [] }
  const candidates = uid === 0 ? await listAccountsForRoot(cluster, parent) : [ourselves]
  const complaints: string[] = []
  for (const account of candidates) {
    const complaint = await probe(account, parent, binaries)
    if (complaint === null) return account
    complaints.push(complaint)
  }
  throw new StartError(
    `The embedded database cannot run here (${complaints.at(-1)}): ${
      uid === 0
        ? 'start the portal as an ordinary user, move it and DATA_DIR to folders open to everybody,'
        : 'move DATA_DIR'
    } or set DATABASE_URL to a PostgreSQL server`,
  )
}

async function listAccountsForRoot(cluster: string | null, parent: string): Promise<PostgresAccount[]> {
  const owner = await lstat(cluster ?? parent)
  const mapping = [`--map-user=${nobodyInside}`, `--map-group=${nobodyInside}`]
  const namespace = { uid: 0, gid: 0, prefix: ['unshare', '--user', ...mapping, '--'] }
  // If the file is missing, there are no user names, but numeric ids still work.
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'))
  const named = ['postgres', 'nobody'].flatMap(name => {
    const [, , uid, gid] = users.find(fields => fields[0] === name) ?? []
    return uid && gid ? [{ uid: Number(uid), gid: Number(gid), prefix: [] }] : []
  })
  // initdb rejects accounts without a name.
  const isUsable = owner.uid !== 0 && (cluster !== null || users.some(([, , uid]) => uid === String(owner.uid)))
  if (isUsable) return [{ uid: owner.uid, gid: owner.gid, prefix: [] }, ...named, namespace]
  return cluster ? [namespace, ...named] : [...named, namespace]
}

/**
 * Checks whether an account can execute PostgreSQL and write to the parent folder.
 * @returns null if it can, otherwise the reason
 */
async function probe(account: PostgresAccount, parent: string, binaries: PostgresBinaries): Promise<string | null> {
  const folder = await makeScratchFolder(parent)
  try {
    chownTree(account, folder)
    const script = 'cd "$1" && : > probe && test -r "$2" && exec "$3" --version'
    const line = ['/bin/sh', '-c', script, 'sh', folder, binaries.probe, binaries.postgres]
    const { command, args, options } = spawnArgumentsForAccount(account, binaries, ...line)
    await run(command, args, options)
    return null
  } catch (error) {
    const { stderr, message } = errorFactsOf(error)
    return (stderr || message).trim().split('\n')[0] ?? ''
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Arguments for `spawn` to run a PostgreSQL program as the given account. */
export function spawnArgumentsForAccount(
  { uid, gid, prefix }: PostgresAccount,
  { env }: PostgresBinaries,
  ...line: string[]
) {
  const [command = '', ...args] = [...prefix, ...line]
  // Only root may set the user and group ids, even to their current values.
  const ids = uid === process.getuid?.() ? {} : { uid, gid }
  return { command, args, options: { ...ids, cwd: '/', env } }
}

/**
 * If the portal runs as root, makes the account the owner of a folder and its content. Symbolic links are followed only
 * if root owns them.
 */
export function chownTree({ uid, gid }: Pick<PostgresAccount, 'uid' | 'gid'>, folder: string): void {
  if (process.getuid?.() !== 0) return
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found || (found.isSymbolicLink() && found.uid !== 0)) return
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(entry => join(folder, entry))
  for (const path of [...inside, folder]) {
    // Files that have disappeared since the folder was read are skipped. This happens if another process has just
    // started the server.
    const owner = lstatSync(path, { throwIfNoEntry: false })?.uid ?? uid
    if (owner !== uid) lchownSync(path, uid, gid)
  }
}
