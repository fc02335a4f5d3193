import { keysOf } from '#contract/records.ts'
import { cancelAllBookings, listBookedPeople } from '#server/features/bookings/office-booking-repository.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { type LessonClash, listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import type { ExistingProgramme } from './existing-programme.ts'
import { listStoredFileReferences, type StoredFileReference } from './file-refs.ts'
import { countFiles, type FileReference } from './files.ts'
import type { ParsedFolder } from './parse-folder.ts'
import { type Schedule, warnAboutCoursesWithoutLessons, warnAboutUnknownHolidays } from './schedule.ts'
import type { TableName } from './tables.ts'
import { syncCourseDates } from './write/course-dates.ts'
import { refreshBookingStarts, upsertCourses } from './write/courses.ts'
import type { PasswordChanges } from './write/passwords.ts'
import { upsertAccounts, upsertInboxMessages } from './write/people.ts'
import { pruneMissingItems } from './write/prune.ts'
import { type RowCounts, toDbRow, updatedColumns, upsertTable } from './write/upsert.ts'

const MAX_NOTES = 20

/** Creates notes, not errors, about pairs of courses whose future lessons overlap in a room or share an instructor. */
async function noteClashes(tx: Queryable): Promise<TranslatableMessage[]> {
  const pairs = new Map<string, LessonClash[]>()
  const clashes = await listLessonClashes(tx, {})
  for (const clash of clashes) {
    const key = `${clash.courseId} ${clash.otherCourseId}`
    pairs.set(key, [...(pairs.get(key) ?? []), clash])
  }
  const notes = [...pairs.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { name, otherName, room, instructor, at } = first
    const more = others.length > 0 ? message` and ${others.length} more times` : message``
    const what = room === null ? message`instructor ${instructor ?? ''}` : message`room ${room}`
    return [message`Courses ${name} and ${otherName} need ${what} at once: ${at.replace('T', ' ')}${more}`]
  })
  const rest = notes.length - MAX_NOTES
  if (rest <= 0) return notes
  const more = clashes.some(({ isCut }) => isCut)
    ? message`… and more than ${rest} more pairs of courses`
    : message`… and ${rest} more pairs of courses`
  return [...notes.slice(0, MAX_NOTES), more]
}

type ProgrammeToWrite = {
  folder: ParsedFolder
  schedules: Map<string, Schedule>
  namings: FileReference[]
  /** references from stored rows to files, as they were before the import */
  refs: StoredFileReference[]
  passwords: PasswordChanges
  existing: ExistingProgramme
  region: string
  isPrune: boolean
  onProgress: (text: string) => void
}

type CourseNote = { courseId: number; note: string; note2: string }
export type EndedCourses = {
  /** courses that the import cancelled, with the people whose booking or waiting-list entry ended */
  cancelled: (CourseNote & { people: number[] })[]
  /** courses whose cancellation the import took back */
  restored: CourseNote[]
}

type Written = EndedCourses & {
  counts: [file: string, counts: RowCounts][]
  notes: TranslatableMessage[]
  hasChanged: boolean
  /** references from stored rows to files, as they are after the import */
  refs: StoredFileReference[]
}

const isChange = ({ created, updated, removed }: RowCounts) => created + updated + removed > 0

/**
 * Writes a validated folder. Courses are locked before people, in the same order as in a booking, to prevent deadlocks.
 * See docs/decisions/0039.
 */
export async function writeProgramme(tx: Queryable, programme: ProgrammeToWrite): Promise<Written> {
  const { folder, schedules, namings, refs, passwords, existing, region, isPrune, onProgress } = programme
  const { divisions, seasons, categories, instructors, rooms, photos, content } = folder
  const notes: TranslatableMessage[] = [
    ...warnAboutCoursesWithoutLessons(schedules),
    ...warnAboutUnknownHolidays(schedules, region),
  ]
  onProgress('writing')
  const courseCounts = {
    divisions: await upsertTable(tx, divisions, { table: 'divisions', key: ['id'] }),
    seasons: await upsertTable(tx, seasons, { table: 'seasons', key: ['id'] }),
    categories: await upsertTable(tx, categories, { table: 'categories', key: ['id'] }),
    instructors: await upsertTable(tx, instructors, { table: 'instructors', key: ['email'] }),
    rooms: await upsertTable(tx, rooms, { table: 'rooms', key: ['name', 'site'] }),
    courses: await upsertCourses(tx, folder, schedules, onProgress),
    courseDates: await syncCourseDates(tx, schedules, existing.courses, notes),
  }
  const { cancelled, restored } = await endCancelled(tx, programme)
  const haveOpeningsChanged = await refreshBookingStarts(tx)
  await promoteWhereGrown(tx, programme)
  const { courses: ofCourses, courseDates: ofDates, rooms: ofRooms } = courseCounts
  if ([ofCourses, ofDates, ofRooms].some(isChange)) notes.push(...(await noteClashes(tx)))
  const programmeCounts = {
    ...courseCounts,
    albums: await writeAlbums(tx, folder),
    photos: await upsertTable(tx, photos, { table: 'photos', key: ['album_id', 'file_name'] }),
    content: await upsertTable(tx, content, { table: 'content_items', key: ['content_type', 'sort_order'] }),
  }
  if (isPrune) {
    const removals = await pruneMissingItems(tx, folder, notes)
    for (const name of keysOf(removals)) programmeCounts[name].removed += removals[name]
  }
  const counts: Record<TableName, RowCounts> = {
    ...programmeCounts,
    users: await upsertAccounts(tx, folder, passwords),
    messages: await upsertInboxMessages(tx, folder),
  }
  const after = await listStoredFileReferences(tx)
  const fileCounts = countFiles(namings, refs, after)
  const hasChanged = haveOpeningsChanged || [...Object.values(counts), fileCounts].some(isChange)
  if (hasChanged) await tx.execute(sql`update programme set revision = revision + 1, imported_at = clock_timestamp()`)
  const names = keysOf(counts)
  const fileOf = (name: TableName) => folder[name].definition.file
  const tables = names
    .filter(name => folder[name].isPresent || isChange(counts[name]))
    .map((name): [string, RowCounts] => [fileOf(name), counts[name]])
  if (tables.length === 0) notes.push(message`The folder holds none of ${names.map(fileOf).join(', ')}`)
  return { counts: [...tables, ['files/', fileCounts]], notes, hasChanged, refs: after, cancelled, restored }
}

async function writeAlbums(tx: Queryable, { albums }: ParsedFolder): Promise<RowCounts> {
  const numbers = albums.rows.map(({ values: { courseNumber } }) => courseNumber ?? null)
  const courses = await tx.query<{ id: number; number: string }>(sql`
    select id, number from courses where number = any(${numbers})`)
  const ids = new Map(courses.map(({ id, number }) => [number, id]))
  const rows = albums.rows.map(row => ({
    ...toDbRow(albums, row),
    course_id: ids.get(row.values.courseNumber ?? '') ?? null,
  }))
  const updates = [...updatedColumns(albums), ...(albums.columnNames.has('courseNumber') ? ['course_id'] : [])]
  return upsertTable(tx, albums, { table: 'albums', key: ['id'] }, rows, updates)
}

/**
 * Ends the bookings of the courses that the import has cancelled. The caller reverses what was charged for them.
 * @returns these courses, and those that it has restored
 */
async function endCancelled(tx: Queryable, { folder: { courses }, existing }: ProgrammeToWrite): Promise<EndedCourses> {
  const numbers = courses.columnNames.has('cancelled')
    ? courses.rows.flatMap(({ values: { number = '' } }) => (existing.courses.has(number) ? number : []))
    : []
  const cancelledBefore = [...existing.cancelledCourses]
  // The reason of a cancellation ends with it, unless the file has another note.
  await tx.execute(sql`
    update courses set note = case when ${courses.columnNames.has('note')} then note else '' end,
      note2 = case when ${courses.columnNames.has('note2')} then note2 else '' end
    where number = any(${numbers}::text[]) and cancelled_at is null and number = any(${cancelledBefore}::text[])`)
  const changed = await tx.query<CourseNote & { isCancelled: boolean }>(sql`
    select id as "courseId", note, note2, cancelled_at is not null as "isCancelled" from courses
    where number = any(${numbers}::text[]) and (cancelled_at is not null) <> (number = any(${cancelledBefore}::text[]))
    order by id for no key update`)
  const { cancelled, restored }: EndedCourses = { cancelled: [], restored: [] }
  for (const { isCancelled, ...course } of changed) {
    if (!isCancelled) {
      restored.push(course)
      continue
    }
    cancelled.push({ ...course, people: await listBookedPeople(tx, course.courseId, [1, 2]) })
    await cancelAllBookings(tx, course.courseId)
  }
  return { cancelled, restored }
}

/** Promotes people from the waiting list in courses whose capacity was increased. */
async function promoteWhereGrown(tx: Queryable, { folder, existing, region }: ProgrammeToWrite): Promise<void> {
  for (const { values } of folder.courses.rows) {
    const before = existing.courses.get(values.number ?? '')
    if (before && (values.participants ?? 0) > before.capacity) await promoteOrCloseWaitingList(tx, before.id, region)
  }
}
