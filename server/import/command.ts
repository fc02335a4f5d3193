import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, folderOfCaller, optionTakenByNpm } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import { StartError } from '#server/start-error.ts'
import { closeDemoAccounts } from './demo-accounts.ts'
import { type ImportOptions, importProgramme } from './import-programme.ts'
import { createProgress, renderCounts, type Sink } from './report.ts'

const USAGE = 'usage: npm run import -- FOLDER [--dry-run] [--prune]'

/** The command line is none: exit status 2. */
export class UsageError extends StartError {
  override name = 'UsageError'
}

export type ImportArguments = Pick<ImportOptions, 'folder' | 'isDryRun' | 'isPrune'>

/** What stands on the command line. See docs/decisions/0038. @throws UsageError when that is no import */
export async function readArguments(args: string[]): Promise<ImportArguments> {
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
  const taken = optionTakenByNpm(Object.keys(OPTIONS))
  if (taken) throw new UsageError(`--${taken} did not arrive, npm took it: npm run import -- FOLDER --${taken}`)
  const path = resolve(folderOfCaller(), folder)
  const stats = await stat(path).catch(() => null)
  if (!stats) throw new UsageError(`There is no folder ${path}`)
  if (!stats.isDirectory()) throw new UsageError(`${path} is not a folder: the import takes a folder of CSV files`)
  await access(path, constants.R_OK | constants.X_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${code})`)
  })
  return { folder: path, isDryRun: parsed.values['dry-run'], isPrune: parsed.values.prune }
}

const OPTIONS = { 'dry-run': { type: 'boolean', default: false }, prune: { type: 'boolean', default: false } } as const

const parse = (args: string[]) => parseArgs({ args, allowPositionals: true, options: OPTIONS })

export type Output = { stdout: Sink; stderr: Sink }

/** Imports and reports: what changed to `stdout`; progress and what is wrong to `stderr`. @returns the exit status */
export async function runImport(
  db: Database,
  { region, demoAccounts }: Pick<Config, 'region' | 'demoAccounts'>,
  options: ImportArguments,
  { stdout, stderr }: Output,
): Promise<0 | 1> {
  const progress = createProgress(stderr)
  const start = performance.now()
  const outcome = await importProgramme(db, { ...options, region, onProgress: progress.show }).finally(progress.clear)
  if (!outcome.isDone) {
    stderr.write(`${outcome.problems.join('\n')}\nNothing was changed.\n`)
    return 1
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  stdout.write(`${renderCounts(outcome.counts)}\n`)
  for (const note of outcome.notes) stdout.write(`${note}\n`)
  const news = options.isDryRun ? null : await closeDemoAccounts(db, { demoAccounts })
  if (news) stdout.write(`${news}\n`)
  stdout.write(options.isDryRun ? 'Dry run: nothing was changed.\n' : `Done in ${seconds} s.\n`)
  return 0
}
