import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { EmbeddedPostgres } from '#server/platform/postgres/embedded.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'

const run = promisify(execFile)

/**
 * Shell command that checks access to everything that the portal needs at run time: its code and packages, the
 * database, and a writable temporary folder.
 */
const PROBE = 'test -r "$1" && test -r "$2" && test -w "$3" && cd "$4" && : > "$5" && rm "$5"'
const PACKAGE = fileURLToPath(import.meta.resolve('pg'))

export type UnixAccount = { uid: number; gid: number }

/**
 * Chooses the operating-system account to which a portal started by root switches: the account that owns the embedded
 * database. Root is needed only to bind low ports and to change file owners.
 * @param folders the data folder, and the folder of e-mails if these are written as files
 * @returns null if the portal cannot or need not switch
 */
export async function chooseUnprivilegedAccount(
  embedded: EmbeddedPostgres | null,
  folders: { dataDir: string; mails: string | null },
  log: Logger,
): Promise<UnixAccount | null> {
  if (process.getuid?.() !== 0) return null
  const stay = (reason: string, details: object = {}) => {
    log.warn(details, reason)
    return null
  }
  const advice = 'it keeps running as root: start it as an ordinary user'
  // The portal does not know which files, such as keys, the connection to an external database needs.
  if (embedded === null) return stay(`with DATABASE_URL ${advice}`)
  const { dataDir, mails } = folders
  if (mails !== null) await mkdir(mails, { recursive: true, mode: 0o700 })
  const { uid, gid } = await embedded.handOver()
  if (uid === 0) return stay(`the database runs as root, and ${advice}`)
  const needs = [import.meta.filename, PACKAGE, embedded.socket, dataDir, `postgres.new-${process.pid}-probe`]
  try {
    await run('/bin/sh', ['-c', PROBE, 'sh', ...needs], { uid, gid })
  } catch (error) {
    const reason = errorFactsOf(error).stderr.trim() || 'files are closed to it'
    return stay(`the portal cannot run as the account of the database, and ${advice}`, { uid, reason })
  }
  return { uid, gid }
}

/**
 * Switches the process to an unprivileged account. Must be called after the portal has started listening and has read
 * all files that only root can read.
 */
export function dropPrivileges(account: UnixAccount | null, log: Logger): void {
  if (account === null) return
  const { uid, gid } = account
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  log.info({ uid, gid }, 'root privileges were dropped')
}
