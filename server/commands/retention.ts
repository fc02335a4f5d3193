import { type RetentionRow, runRetention } from '#server/operations/retention.ts'
import { commandLine, findOptionConsumedByNpm } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { runTool } from '#server/platform/db/run-tool.ts'
import { sweepMailFolder } from '#server/platform/outbox/mail-folder.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { UsageError } from '#server/platform/process/start-error.ts'

/** Formats one line per retention rule: number of rows, description, retention period. */
export function formatRetentionTable(table: RetentionRow[], isDryRun: boolean): string {
  const width = Math.max(...table.map(({ rows }) => String(rows).length))
  const lines = table.map(({ rows, what, after }) => `${String(rows).padStart(width)}  ${what} (${after})`)
  return [isDryRun ? 'Would be deleted:' : 'Deleted:', ...lines].join('\n')
}

/** `npm run retention`. Exit status: 0 success, 1 already running on another server, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  const isDryRun = args.includes('--dry-run')
  if (findOptionConsumedByNpm(['dry-run']) || args.some(argument => argument !== '--dry-run'))
    throw new UsageError(`Usage: ${commandLine('retention', '[--dry-run]')}`)
  const table = await runTool('retention', async (db, { dataDir }) => {
    const { now } = await db.one<{ now: Date }>(sql`select clock_timestamp() as now`)
    const rows = await withProgress(report => runRetention({ db, now, isDryRun, report }))
    // A dry run must not remove any files: it has rolled back the row deletions that determine which ones to remove.
    if (rows !== null && !isDryRun) await sweepMailFolder(db, dataDir)
    return rows
  })
  if (table === null) process.exitCode = 1
  console.log(
    table === null ? 'A running portal is deleting right now: try again.' : formatRetentionTable(table, isDryRun),
  )
}
