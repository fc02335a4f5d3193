import { execFile } from 'node:child_process'
import { cp, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, parseEnv, promisify } from 'node:util'
import { type ServiceManager, undoUpgrade, upgradeRelease } from '#server/operations/upgrade/upgrade.ts'
import { callerWorkingDirectory, commandLine, listenUrl, readConfig } from '#server/platform/config/config.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { StartError, UsageError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: ${commandLine('upgrade', 'FILE.tar.gz [--link /opt/portal] [--unsigned]')}, or ${commandLine('upgrade', '--undo')}`
const PATIENCE_MS = 60_000
/** Longer than a portal needs to report that its database is away, in ms. */
const ANSWER_MS = 5_000
const UNITS = '/etc/systemd/system'
const execute = promisify(execFile)
const systemctl = async (...args: string[]) => void (await execute('systemctl', args))

const service: ServiceManager = {
  stop: () => systemctl('stop', 'portal'),
  start: () => systemctl('start', 'portal'),
  backUp: () => systemctl('start', 'portal-backup'),
  async install(folder) {
    const units = (await readdir(join(folder, 'packaging'))).filter(name => /^portal.*\.(?:service|timer)$/.test(name))
    for (const name of units) await cp(join(folder, 'packaging', name), join(UNITS, name))
    await systemctl('daemon-reload')
  },
}

type Wish = { file: string; link: string; isUnsignedAccepted: boolean; isUndo: boolean }

const FLAG = { type: 'boolean', default: false } as const
const OPTIONS = { link: { type: 'string', default: '/opt/portal' }, unsigned: FLAG, undo: FLAG } as const

function readWish(args: string[]): Wish | null {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
    const [file = '', ...others] = positionals
    const { link, unsigned: isUnsignedAccepted, undo: isUndo } = values
    return others.length > 0 || (file === '') !== isUndo ? null : { file, link, isUnsignedAccepted, isUndo }
  } catch {
    // Invalid command line: the caller prints the usage.
    return null
  }
}

/**
 * `packaging/portal upgrade FILE`: upgrades a portal installed as in docs/operation/install.md. Exit status: 0 the new
 * release is serving, 1 it is not (the last line tells whether the previous release is), 2 invalid command line.
 * `--undo` goes back from an upgrade that was interrupted.
 */
export async function run(args: string[]): Promise<void> {
  const wish = readWish(args)
  if (wish === null) throw new UsageError(USAGE)
  if (process.getuid?.() !== 0) throw new StartError('upgrade changes services of the machine: run it as root')
  // The settings of the systemd unit, as described in install.md.
  const given = parseEnv(await readFile('/etc/portal.env', 'utf8').catch(() => ''))
  const { databaseUrl, dataDir, host, port } = readConfig({ DATA_DIR: '/var/lib/portal', ...given })
  const options = {
    link: wish.link,
    dataDir,
    isDatabaseExternal: databaseUrl !== null,
    service,
    // A portal that accepts the connection and hangs does not respond either.
    isReady: async () =>
      (await fetch(`${listenUrl(host, port)}/api/health/ready`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok,
    patienceMs: PATIENCE_MS,
  }
  const { isUnsignedAccepted } = wish
  const file = resolve(callerWorkingDirectory(), wish.file)
  await withProgress(
    tell =>
      wish.isUndo ? undoUpgrade({ ...options, tell }) : upgradeRelease({ ...options, isUnsignedAccepted, file, tell }),
    process.stdout,
    { patienceMs: 0, everyMs: Number.POSITIVE_INFINITY, isKept: true },
  )
}
