import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UNFINISHED_SUFFIX, writeArchive } from '#server/operations/backup/archive.ts'
import { recordLastBackup } from '#server/operations/backup/backup-state.ts'
import { openSigningKey, publicKeyOf } from '#server/operations/backup/signature.ts'
import { callerWorkingDirectory, commandLine, findOptionConsumedByNpm } from '#server/platform/config/config.ts'
import { withSnapshot } from '#server/platform/db/copies/snapshot.ts'
import { describeCopyTotals, runTool } from '#server/platform/db/run-tool.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { StartError, UsageError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: ${commandLine('backup', 'FILE, or FOLDER [--keep NUMBER]')}`
const NAME = /^portal-\d{8}T\d{6}Z\.zip$/

/**
 * `npm run backup`: writes a consistent backup of the portal's database, which may be in use. If the path is a folder,
 * the file name contains the time, and `--keep` deletes all but the newest files with such a name. Exit status: 0
 * success, 1 failure, 2 invalid command line.
 */
export async function run(args: string[]): Promise<void> {
  const options = readArguments(args)
  if (options === null) throw new UsageError(USAGE)
  const path = resolve(callerWorkingDirectory(), options.path)
  // If the path does not exist yet, it is treated as the name of the backup file.
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
  if (options.keep !== null && !isFolder) throw new StartError(`--keep needs a folder, and ${path} is none`)
  if (isFolder) await removeUnfinished(path)
  const { file, amount, key } = await runTool(
    'backup',
    async (_, { dataDir }, connection) => {
      const key = await openSigningKey(dataDir)
      const saved = await withSnapshot(connection, async snapshot => {
        const stamp = snapshot.takenAt.toISOString().replace(/[-:]|\.\d+/g, '')
        const target = isFolder ? join(path, `portal-${stamp}.zip`) : path
        const amount = await withProgress(report => writeArchive(target, snapshot, key, report))
        await recordLastBackup(dataDir, snapshot.takenAt)
        return { file: target, amount }
      })
      return { ...saved, key: publicKeyOf(key) }
    },
    { isMigrating: false },
  )
  console.log(
    `${file}: ${describeCopyTotals(amount)}, verified. It contains personal data: protect it like the database.`,
  )
  console.log(`Signed with the key ${key}. Note it elsewhere: a restore without this DATA_DIR needs it.`)
  if (options.keep !== null) await removeOlder(path, options.keep)
}

function readArguments(args: string[]): { path: string; keep: number | null } | null {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { keep: { type: 'string' } } })
    const [path, ...others] = positionals
    const isNumber = values.keep === undefined || /^[1-9]\d{0,3}$/.test(values.keep)
    if (!path || others.length > 0 || !isNumber || findOptionConsumedByNpm(['keep'])) return null
    return { path, keep: values.keep === undefined ? null : Number(values.keep) }
  } catch {
    // Invalid command line: the caller prints the usage.
    return null
  }
}

/**
 * Time in ms without changes after which an unfinished backup file is considered abandoned. A running backup writes to
 * its file continuously.
 */
const STALE_MS = 600_000

/** Removes incomplete files left behind by interrupted backups. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter(
    name => name.endsWith(UNFINISHED_SUFFIX) && NAME.test(name.slice(0, -UNFINISHED_SUFFIX.length)),
  )) {
    const file = join(folder, name)
    // A missing file is treated as recently changed, because a concurrent backup may just have renamed it.
    const changedAt = await stat(file).then(
      found => found.mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - changedAt < STALE_MS) continue
    await rm(file, { force: true })
    console.log(`${file}: removed, left by a backup that was interrupted.`)
  }
}

/** Deletes all but the newest backups; files not named by this command are never deleted. */
async function removeOlder(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter(name => NAME.test(name)).sort()
  for (const name of names.slice(0, -keep)) {
    await rm(join(folder, name))
    console.log(`${join(folder, name)}: removed, ${keep} newer ones are kept.`)
  }
}
