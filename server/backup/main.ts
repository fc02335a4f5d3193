import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { folderOfCaller, optionTakenByNpm } from '#server/config.ts'
import { withSnapshot } from '#server/db/copies/save.ts'
import { runTool } from '#server/db/tool.ts'
import { StartError, UsageError } from '#server/start-error.ts'
import { writeArchive } from './archive.ts'
import { describeAmount } from './words.ts'

const USAGE = 'Usage: npm run backup -- FILE, or FOLDER [--keep NUMBER]'
const NAME = /^portal-\d{8}T\d{6}Z\.zip$/

/**
 * `npm run backup`: everything of the portal's database as of one moment, while it runs. In a folder the file is named by the moment,
 * and `--keep` takes away all but the newest ones of such names. Exit status 0 done, 1 not, 2 no such command line.
 */
export async function run(args: string[]): Promise<void> {
  const options = readArguments(args)
  if (options === null) throw new UsageError(USAGE)
  const path = resolve(folderOfCaller(), options.path)
  // What is missing is no folder.
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
  if (options.keep !== null && !isFolder) throw new StartError(`--keep needs a folder, and ${path} is none`)
  const { file, amount } = await runTool(
    'backup',
    (_, __, connection) =>
      withSnapshot(connection, async snapshot => {
        const stamp = snapshot.takenAt.toISOString().replace(/[-:]|\.\d+/g, '')
        const target = isFolder ? join(path, `portal-${stamp}.zip`) : path
        return { file: target, amount: await writeArchive(target, snapshot) }
      }),
    { isMigrating: false },
  )
  console.log(`${file}: ${describeAmount(amount)}. It holds personal data: keep it as you keep the database.`)
  if (options.keep !== null) await removeOlder(path, options.keep)
}

function readArguments(args: string[]): { path: string; keep: number | null } | null {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { keep: { type: 'string' } } })
    const [path, ...others] = positionals
    const isNumber = values.keep === undefined || /^[1-9]\d{0,3}$/.test(values.keep)
    if (path === undefined || others.length > 0 || !isNumber || optionTakenByNpm(['keep'])) return null
    return { path, keep: values.keep === undefined ? null : Number(values.keep) }
  } catch {
    // The caller shows how it is called.
    return null
  }
}

/** Files of other names stay: they are not this command's. */
async function removeOlder(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter(name => NAME.test(name)).sort()
  for (const name of names.slice(0, -keep)) {
    await rm(join(folder, name))
    console.log(`${join(folder, name)}: removed, ${keep} newer ones are kept.`)
  }
}
