import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import { factsOf } from '#server/errors/error-facts.ts'
import { mailFolderOf } from '#server/mail/folder.ts'
import type { EmbeddedPostgres } from '#server/postgres/embedded.ts'

const run = promisify(execFile)

/** What a portal needs at run time: its own files and packages, the database, and room for files of its own. */
const PROBE = 'test -r "$1" && test -r "$2" && test -w "$3" && cd "$4" && : > "$5" && rm "$5"'
const PACKAGE = fileURLToPath(import.meta.resolve('pg'))

export type Account = { uid: number; gid: number }

/**
 * Root is needed for low ports and to hand files over; then the portal is its database's account.
 * @returns null: it cannot, or need not
 */
export async function chooseUnprivilegedAccount(
  embedded: EmbeddedPostgres | null,
  config: Config,
  log: Logger,
): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const stay = (reason: string, details: object = {}) => {
    log.warn(details, reason)
    return null
  }
  const advice = 'it stays root: start it as an ordinary user'
  // What an operator's database needs, keys for instance, only the operator knows.
  if (embedded === null) return stay(`with DATABASE_URL ${advice}`)
  const mailFolder = config.smtpUrl === null ? [mailFolderOf(config.dataDir)] : []
  for (const folder of mailFolder) await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, gid } = await embedded.handOver()
  if (uid === 0) return stay(`the database runs as root here, and ${advice}`)
  const needs = [import.meta.filename, PACKAGE, embedded.socket, config.dataDir, `postgres.new-${process.pid}-probe`]
  try {
    await run('/bin/sh', ['-c', PROBE, 'sh', ...needs], { uid, gid })
  } catch (error) {
    const reason = factsOf(error).stderr.trim() || 'files are closed to it'
    return stay(`as the account of the database the portal could not go on, and ${advice}`, { uid, reason })
  }
  return { uid, gid }
}

/** To be called when the portal listens and everything is read that only root may read. */
export function dropPrivileges(account: Account | null, log: Logger): void {
  if (account === null) return
  const { uid, gid } = account
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  log.info({ uid, gid }, 'root is given up')
}
