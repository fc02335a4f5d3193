import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '#contract/values.ts'
import { listReservedEmails } from '#server/features/accounts/repository.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import { ImportProblems, quoteForMessage } from '#server/platform/files/problems.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { date, InvalidCell } from './cell-parsers.ts'
import { checkCapacities, checkFolder, fillInDefaults, listCapacities } from './check.ts'
import { type ExistingProgramme, findOverbookedCourses, loadExistingProgramme } from './existing-programme.ts'
import { checkDocumentNames, checkFileNames, importRowKeyOf, listStoredFileReferences } from './file-refs.ts'
import { listFileReferences, storeReferencedFiles } from './files.ts'
import { type ParsedFolder, parseFolder } from './parse-folder.ts'
import { checkTimesSkippedByDst, planCourseDates } from './schedule.ts'
import { hashImportedPasswords } from './write/passwords.ts'
import { listImportedPasswords } from './write/people.ts'
import type { RowCounts } from './write/upsert.ts'
import { type EndedCourses, writeProgramme } from './write-programme.ts'

export type ImportOptions = {
  /** path of the import folder (wire.md section 5) */
  folder: string
  /** ISO 3166-2 code of a German state, whose holidays are excluded from generated dates */
  region: string
  /** language of the error messages and notes in the outcome */
  language?: Language
  /** validate and write everything, then roll back */
  isDryRun?: boolean
  /** remove items missing from the folder, except courses that have ever been booked */
  isPrune?: boolean
  /** new seasons become drafts, whatever the folder says */
  isDraft?: boolean
  /** ignore accounts and messages */
  isWithoutPeople?: boolean
  /** leave out news, flyers, albums and photos, which require a right of their own */
  isWithoutContent?: boolean
  /** progress callback, called frequently */
  onProgress?: (text: string) => void
}

export type ImportOutcome =
  | { isDone: false; problems: string[] }
  | (EndedCourses & {
      isDone: true
      /** number of changes for each file in the folder */
      counts: [file: string, counts: RowCounts][]
      notes: string[]
      hasChanged: boolean
    })

/** Thrown to roll back the transaction. */
class Undone extends Error {
  readonly outcome: ImportOutcome

  constructor(outcome: ImportOutcome) {
    super('undone')
    this.outcome = outcome
  }
}

/** Imports a folder in one transaction while the portal is running. Idempotent; concurrent imports are serialized. */
export async function importProgramme(db: Database, options: ImportOptions): Promise<ImportOutcome> {
  try {
    return await db.transaction(async tx => {
      const outcome = await importFolder(tx, options)
      if (options.isDryRun || !outcome.isDone) throw new Undone(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof Undone) return error.outcome
    throw error
  }
}

/** Imports a folder within the caller's transaction. The caller must roll back if there are problems. */
export async function importFolder(
  tx: Queryable,
  {
    folder: path,
    region,
    language = 'en',
    isPrune = false,
    isDraft = false,
    isWithoutPeople = false,
    isWithoutContent = false,
    onProgress = () => undefined,
  }: ImportOptions,
): Promise<ImportOutcome> {
  await lockImports(tx, onProgress)
  const problems = new ImportProblems()
  const existing = await loadExistingProgramme(tx)
  const moveDays = await readMoveDays(path, existing, problems)
  const parsed = await parseFolder(path, moveDays ?? 0, problems, onProgress)
  const { folder, leftOut } = isWithoutContent ? withoutContent(parsed) : { folder: parsed, leftOut: [] }

  const reserved = await removeReservedPeople(tx, folder)

  onProgress('checking')
  for (const { isPresent, definition } of isWithoutPeople ? [folder.users, folder.messages] : []) {
    if (isPresent)
      problems.add({ file: definition.file, line: 1, row: 1 }, 'file', message`people do not come with a programme`)
  }
  fillInDefaults(folder, existing, isDraft)
  checkFolder(folder, existing, problems)
  const schedules = planCourseDates(folder, existing, region, problems, moveDays !== null)
  await checkTimesSkippedByDst(tx, folder, schedules, problems)
  const refs = await listStoredFileReferences(tx)
  const namings = listFileReferences(folder, existing.privateAlbums)
  await storeReferencedFiles(tx, folder, namings, refs, problems, (done, all) => onProgress(`files ${done} of ${all}`))
  checkDocumentNames(folder, refs, problems)
  const passwords = await hashImportedPasswords(
    tx,
    problems.count > 0 ? [] : listImportedPasswords(folder.users),
    onProgress,
  )
  // From here on, courses may be locked, so no long-running work may follow.
  checkCapacities(folder, await findOverbookedCourses(tx, listCapacities(folder.courses)), problems)
  if (problems.count > 0) return { isDone: false, problems: problems.toLines(language) }

  if (moveDays !== null) await updateDatesMoved(tx, existing)
  const programme = { folder, schedules, namings, refs, passwords, existing, region, isPrune, onProgress }
  const { refs: refsAfter, ...written } = await writeProgramme(tx, programme)
  const positions = new Map(
    namings.map(({ refKey, name, row, column }) => [refKey + name, { position: row.position, column }]),
  )
  checkFileNames(refsAfter, ref => positions.get(importRowKeyOf(ref) + ref.name) ?? null, problems)
  if (problems.count > 0) return { isDone: false, problems: problems.toLines(language) }
  const notes = [
    ...leftOut,
    ...reserved,
    ...noteUnreadFiles(parsed, existing),
    ...(await noteOpenedAlbums(tx, existing)),
    ...written.notes,
  ]
  return { isDone: true, ...written, notes: notes.map(note => note.in(language)) }
}

const CONTENT_TABLES = ['content', 'albums', 'photos'] as const

/** Folder as if it had no tables of content, and a note for each table with rows that are thereby left out. */
function withoutContent(parsed: ParsedFolder): { folder: ParsedFolder; leftOut: TranslatableMessage[] } {
  const folder = { ...parsed }
  const empty = { isPresent: false, columnNames: new Set<string>(), rows: [], isBroken: false }
  const leftOut = CONTENT_TABLES.flatMap(name => {
    const { definition, rows } = parsed[name]
    Object.assign(folder, { [name]: { definition, ...empty } })
    return rows.length > 0 ? [message`${definition.file} is left out: it needs the right to edit the content`] : []
  })
  return { folder, leftOut }
}

const MAX_NAMES = 20

function listNames(names: readonly string[]): TranslatableMessage {
  const list = names.slice(0, MAX_NAMES).map(quoteForMessage).join(', ')
  const rest = message`… and ${names.length - MAX_NAMES} more`
  return names.length > MAX_NAMES ? message`${list} ${rest}` : message`${list}`
}

/**
 * Removes the rows of people whose address a merge or a change of it has freed, as long as that can be undone.
 * @returns note that names them
 */
async function removeReservedPeople(tx: Queryable, { users, messages }: ParsedFolder): Promise<TranslatableMessage[]> {
  const emails = users.rows.flatMap(({ values: { email } }) => email ?? [])
  const reserved = await listReservedEmails(tx, emails)
  if (reserved.length === 0) return []
  for (const table of [users, messages])
    Object.assign(table, { rows: table.rows.filter(({ values: { email = '' } }) => !reserved.includes(email)) })
  return [message`Left out, because the account was merged or got another address: ${listNames(reserved)}`]
}

/** Notes files that no table names and that are no tables, so that a misspelled name is not overlooked. */
function noteUnreadFiles(parsed: ParsedFolder, { privateAlbums }: ExistingProgramme): TranslatableMessage[] {
  const named = new Set(listFileReferences(parsed, privateAlbums).map(({ name }) => name))
  const unnamed = [...parsed.fileNames.keys()].filter(name => !/^(?:\.|~\$)/.test(name) && !named.has(name)).sort()
  return [
    ...(parsed.otherNames.length > 0
      ? [message`Not read, because it is no table: ${listNames(parsed.otherNames)}`]
      : []),
    ...(unnamed.length > 0 ? [message`Left out of files/, because no row names it: ${listNames(unnamed)}`] : []),
  ]
}

/** Notes the albums of participants that everybody can see after the import. */
const noteOpenedAlbums = async (tx: Queryable, { privateAlbums }: ExistingProgramme): Promise<TranslatableMessage[]> =>
  (
    await tx.query<{ name: string }>(sql`
      select name from albums where id = any(${[...privateAlbums]}::int[]) and course_id is null order by id`)
  ).map(({ name }) => message`Album ${name}, so far for participants only, becomes public`)

/** Blocks other imports until the end of the transaction, and disables statement timeouts. */
export async function lockImports(tx: Queryable, onProgress: (text: string) => void): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
  const { isFree } = await tx.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('import')) as "isFree"`)
  if (isFree) return
  onProgress('another import is running: waiting for it')
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('import'))`)
}

const DAY_MS = 86_400_000

/**
 * Number of days to add to the dates of a folder with relative dates, such as the demo programme; null for other
 * folders. The number is a multiple of 7, so that the week given in the file `dates-move-from` becomes the week of the
 * first import.
 */
async function readMoveDays(
  folder: string,
  { movesTo }: ExistingProgramme,
  problems: ImportProblems,
): Promise<number | null> {
  const file = 'dates-move-from'
  const text = await readFile(join(folder, file), 'utf8').catch(error => {
    if (errorFactsOf(error).code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const start = date(text.trim(), 0)
  if (!(start instanceof InvalidCell)) return Math.floor((Date.parse(movesTo) - Date.parse(start)) / (7 * DAY_MS)) * 7
  problems.add({ file, line: 1, row: 1 }, 'date', start.text)
  return 0
}

/** Stores the day of the first import. Later imports use the stored day, so that they are idempotent. */
const updateDatesMoved = (tx: Queryable, { movesTo }: ExistingProgramme): Promise<number> =>
  tx.execute(sql`update programme set dates_moved_on = ${movesTo}::date where dates_moved_on is null`)
