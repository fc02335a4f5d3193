import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { disableDemoAccounts } from '#server/features/programme/demo-accounts.ts'
import type { ImportOptions } from '#server/features/programme/import-programme.ts'
import type { RowCounts } from '#server/features/programme/write/upsert.ts'
import { type ImportedProgramme, importProgrammeFolder } from '#server/office/content/import-service.ts'
import { anchorAfterCommand } from '#server/office/frame/audit-anchor-service.ts'
import { ActRejected, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { runActSteps } from '#server/office/frame/service.ts'
import { trackSubstituteRequests } from '#server/office/programme/substitute-service.ts'
import {
  type Config,
  callerWorkingDirectory,
  commandLine,
  findOptionConsumedByNpm,
} from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/db/client.ts'
import { runTool } from '#server/platform/db/run-tool.ts'
import { type Sink, withProgress } from '#server/platform/process/progress.ts'
import { UsageError } from '#server/platform/process/start-error.ts'

const COLUMNS = ['created', 'updated', 'unchanged', 'removed'] as const

function renderCounts(counts: [file: string, counts: RowCounts][]): string {
  const rows = [['', ...COLUMNS], ...counts.map(([file, row]) => [file, ...COLUMNS.map(name => String(row[name]))])]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  return rows
    .map(row =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n')
}

/** `npm run import`. Exit status: 0 success, 1 folder rejected because of problems, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  const options = await readArguments(args)
  process.exitCode = await runTool('import', (db, config) => runImport(db, config, options, process))
}

const USAGE = `usage: ${commandLine('import', 'FOLDER [--dry-run] [--prune] [--quiet]')}`

/** `isQuiet`: do not notify the people affected by the import */
type ImportArguments = Pick<ImportOptions, 'folder' | 'isDryRun' | 'isPrune'> & { isQuiet?: boolean }

/** Parses the command line. See docs/decisions/0039. @throws UsageError if it is invalid */
async function readArguments(args: string[]): Promise<ImportArguments> {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message.split('. ')[0] : error}; ${USAGE}`)
  }
  const [folder, ...others] = parsed.positionals
  if (folder === undefined) throw new UsageError(`No folder is named; ${USAGE}`)
  if (others.length > 0)
    throw new UsageError(`More than one folder is named: ${parsed.positionals.join(', ')}; ${USAGE}`)
  const taken = findOptionConsumedByNpm(Object.keys(OPTIONS))
  if (taken) throw new UsageError(`--${taken} did not arrive, npm took it: npm run import -- FOLDER --${taken}`)
  const path = resolve(callerWorkingDirectory(), folder)
  // An inaccessible folder is treated as missing.
  const stats = await stat(path).catch(() => null)
  if (!stats) throw new UsageError(`There is no folder ${path}`)
  if (!stats.isDirectory()) throw new UsageError(`${path} is not a folder: the import takes a folder of CSV files`)
  await access(path, constants.R_OK | constants.X_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${code})`)
  })
  const { 'dry-run': isDryRun, prune: isPrune, quiet: isQuiet } = parsed.values
  return { folder: path, isDryRun, isPrune, isQuiet }
}

const FLAG = { type: 'boolean', default: false } as const
const OPTIONS = { 'dry-run': FLAG, prune: FLAG, quiet: FLAG }

const parse = (args: string[]) => parseArgs({ args, allowPositionals: true, options: OPTIONS })

type Output = { stdout: Sink; stderr: Sink }

type Settings = OfficeContext['config'] & Pick<Config, 'demoAccounts'>

/** Thrown to roll back the transaction of a dry run or a failed import. */
class Undone extends Error {}

/** Runs the import and writes an audit log entry if anything changed. */
async function importOnRecord(
  db: Database,
  config: Settings,
  { isDryRun, isQuiet, ...options }: ImportArguments & Pick<ImportOptions, 'onProgress'>,
): Promise<ImportedProgramme | { problems: string[] }> {
  const results: ImportedProgramme[] = []
  try {
    await db.transaction(tx =>
      runActSteps(
        tx,
        { kind: 'import', ...(isQuiet && { quiet: true, reason: '--quiet' }) },
        { actor: { kind: 'command', rights: [] }, language: 'en', config },
        async office => {
          const withdrawOutdatedRequests = await trackSubstituteRequests(office)
          const imported = await importProgrammeFolder(office, options)
          results.push(imported)
          if (isDryRun || !imported.hasChanged) throw new Undone()
          await withdrawOutdatedRequests()
          return undefined
        },
      ),
    )
    await anchorAfterCommand(db, config.dataDir)
  } catch (error) {
    if (error instanceof ActRejected) return { problems: v.parse(v.array(v.string()), error.result.errors) }
    if (!(error instanceof Undone)) throw error
  }
  const [imported] = results
  if (!imported) throw new Error('the import has ended without a result')
  return imported
}

/**
 * Runs the import: `stdout` receives notes and, at the end, the table of changes; `stderr` receives progress and problems.
 * @returns the exit status
 */
export async function runImport(
  db: Database,
  config: Settings,
  options: ImportArguments,
  { stdout, stderr }: Output,
): Promise<0 | 1> {
  const start = performance.now()
  const outcome = await withProgress(onProgress => importOnRecord(db, config, { ...options, onProgress }), stderr, {
    patienceMs: 0,
    everyMs: 2_000,
  })
  if ('problems' in outcome) {
    stderr.write(`${outcome.problems.join('\n')}\nNothing was changed.\n`)
    return 1
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  for (const note of outcome.notes) stdout.write(`${note}\n`)
  const news = options.isDryRun ? null : await disableDemoAccounts(db, config)
  if (news) stdout.write(`${news}\n`)
  stdout.write(options.isDryRun ? 'Dry run: nothing was changed.\n' : `Done in ${seconds} s.\n`)
  stdout.write(`${renderCounts(outcome.counts)}\n`)
  return 0
}
