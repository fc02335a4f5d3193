import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RIGHTS } from '#contract/rights.ts'
import { type Database, sql } from '#server/db/client.ts'
import { demoFolder } from './demo-accounts.ts'
import { type ImportOptions, importFolder, lockImports } from './import-programme.ts'
import { readCsv } from './read-csv.ts'
import { type PastBooking, writeHistory } from './write/history.ts'

/**
 * Loads the demo programme, with dates moved to the current week, into an empty database in one transaction. @returns
 * whether the database was empty
 */
export async function loadDemo(
  db: Database,
  { region, folder = demoFolder, onProgress = () => undefined }: Partial<ImportOptions> & Pick<ImportOptions, 'region'>,
): Promise<boolean> {
  return db.transaction(async tx => {
    await lockImports(tx, onProgress)
    const { isEmpty } = await tx.one<{ isEmpty: boolean }>(sql`
      select not exists (select from courses) and not exists (select from seasons) and not exists (select from web_users) as "isEmpty"`)
    if (!isEmpty) return false
    const outcome = await importFolder(tx, { folder, region, onProgress })
    if (!outcome.isDone) throw new Error(`The demo programme cannot be imported:\n${outcome.problems.join('\n')}`)
    const bookings = await readBookings(join(folder, 'history/bookings.csv'))
    const written = await writeHistory(tx, bookings)
    if (written !== bookings.length)
      throw new Error(`${bookings.length - written} demo bookings reference a missing course or person`)
    await tx.execute(sql`
      insert into office_rights (web_user_id, "right")
      select id, unnest(${[...RIGHTS]}::text[]) from web_users where email = 'desk@demo.example'`)
    return true
  })
}

async function readBookings(file: string): Promise<PastBooking[]> {
  const content = readCsv(await readFile(file))
  if ('text' in content) throw new Error(`${file}:${content.line}: ${content.text.in('en')}`)
  return content.records.slice(1).map(({ cells: [number = '', email = '', state, presentOn = ''] }) => ({
    number,
    email,
    isWaiting: state === 'waiting',
    presentOn: presentOn.split(' ').filter(Boolean).map(Number),
  }))
}
