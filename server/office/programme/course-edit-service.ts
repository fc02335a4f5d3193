import { keysOf } from '#contract/records.ts'
import { COURSE_FIELDS } from '#contract/tables/course.ts'
import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { listActiveBookings } from '#server/features/bookings/office-booking-repository.ts'
import type { ActiveBookingState } from '#server/features/bookings/repository.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { importTableDefinitions } from '#server/features/programme/tables.ts'
import { refreshBookingStarts } from '#server/features/programme/write/courses.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import { columnOfField } from '#server/platform/db/field-columns.ts'
import { translate } from '#server/platform/texts/translate.ts'
import {
  directionsUnlessAt,
  type EditedCourse,
  listEditedCourses,
  listOfficeCourseRows,
  type OfficeCourseRow,
  updateCourseColumns,
} from './course-repository.ts'
import { prefixRejectionWithName, requireClashesAccepted, requireRoomsOpen } from './course-service.ts'
import type { CourseUpdate } from './course-update-service.ts'
import { listSubstitutesByCourse } from './lesson-repository.ts'
import { findRoomNameAndSite } from './table-repository.ts'
import { toColumnValues } from './table-service.ts'

/** Names of changed fields in the audit log, keyed by column. */
const FIELD_OF_COLUMN = Object.fromEntries(
  keysOf(COURSE_FIELDS).map(name => [columnOfField(name, COURSE_FIELDS[name]), name]),
)

export type CourseEdit = {
  fee?: number
  energyFee?: number
  externalFee?: number | null
  participants?: number
  roomId?: number
  venue?: string
  bookableFrom?: string | null
  confirmed?: boolean
}

/**
 * Database columns that an edit sets. If the edit assigns a room, the venue is set to the room's name and, if the room
 * belongs to a site, the city is set to that site. The directions are those to the previous room, and removed with it.
 * @throws ActRejected
 */
async function readEdit(office: OfficeContext, { roomId, ...fields }: CourseEdit) {
  if (roomId === undefined) return toColumnValues(office, importTableDefinitions.courses, fields)
  if (fields.venue !== undefined) office.fail('failed.roomAndVenue')
  const { name, site } = (await findRoomNameAndSite(office.tx, roomId)) ?? office.fail('unknown.rooms')
  const place = { venue: name, ...(site !== '' && { city: site }) }
  return {
    ...toColumnValues(office, importTableDefinitions.courses, { ...fields, ...place }),
    location: directionsUnlessAt('location', place),
    location2: directionsUnlessAt('location2', place),
  }
}

/**
 * Applies the same change to several courses in set-based statements. If seats are added, people are promoted from the
 * waiting list. Existing bookings keep their price.
 * @returns notices to participants, instructors and substitutes, one entry per course
 * @throws ActRejected
 */
export async function editCourses(
  office: OfficeContext,
  courseIds: readonly number[],
  edit: CourseEdit,
): Promise<CourseUpdate[]> {
  const { tx, config } = office
  const ids = [...new Set(courseIds)]
  const [courseId = 0] = ids
  if (ids.length === 1) await office.open('courses', courseId)
  else await office.touch('courses', ...ids)
  office.note({ objects: ids.length === 1 ? { courseId } : { courseIds: ids.toSorted((a, b) => a - b).join(' ') } })
  const row = await readEdit(office, edit)
  const columns = Object.entries(row).map(([column, value]) => ({ column, value }))
  if (columns.length === 0) {
    office.leaveUnchanged('courses', ...ids)
    return []
  }
  const courses = await listOfficeCourseRows(tx, ids)
  const stored = new Map((await listEditedCourses(tx, ids)).map(course => [course.id, course]))
  const { confirmed, participants } = edit
  for (const course of courses) {
    const { taken = 0, capacity = 0 } = stored.get(course.id) ?? {}
    const count = Math.min(taken, capacity)
    prefixRejectionWithName(ids.length === 1 ? null : course.number, () => {
      if (confirmed !== undefined && course.isCancelled) office.fail('failed.cancelled')
      if (participants !== undefined && participants < count) office.fail('failed.placesGiven', { count })
    })
  }

  const changedIds = new Set(await updateCourseColumns(tx, ids, columns))
  office.leaveUnchanged('courses', ...ids.filter(id => !changedIds.has(id)))
  if (changedIds.size === 0) return []
  if (edit.bookableFrom !== undefined) await refreshBookingStarts(tx)
  office.programmeChanged()
  const growing = [...stored.values()].flatMap(({ id, taken, capacity }) =>
    changedIds.has(id) && taken > capacity && (participants ?? 0) > capacity ? [id] : [],
  )
  const waiting = await listPlaces(office, growing, BOOKING_STATUS.Waitinglist)
  for (const id of growing) await promoteOrCloseWaitingList(tx, id, config.region)
  const places = await listPlaces(office, growing, BOOKING_STATUS.Booked)
  const promoted = new Set([...places].filter(place => waiting.has(place)))
  const isMoved = row.venue !== undefined
  if (isMoved) {
    await requireClashesAccepted(office, { courseIds: [...changedIds] })
    await requireRoomsOpen(office, { courseIds: [...changedIds] })
  }

  const after = new Map((await listEditedCourses(tx, [...changedIds])).map(course => [course.id, course]))
  const changed = courses.flatMap(course => {
    const [was, is] = [stored.get(course.id), after.get(course.id)]
    return was && is ? [{ course, was, is }] : []
  })
  const changesOf = (course: EditedCourse, other: EditedCourse) =>
    Object.fromEntries(
      columns
        .filter(({ column }) => course.columns[column] !== other.columns[column])
        .map(({ column }) => [FIELD_OF_COLUMN[column] ?? column, course.columns[column]]),
    )
  for (const { course, was, is } of changed) {
    const before = changesOf(was, is)
    office.note({ before: ids.length === 1 ? before : { [course.id]: before }, after: changesOf(is, was) })
  }
  const substitutes = isMoved ? await listSubstitutesByCourse(tx, [...changedIds]) : new Map<number, string[]>()
  return changed.flatMap(({ course, was, is }) =>
    updateOf({ course, was, is }, substitutes.get(course.id) ?? []).map(update => ({
      ...update,
      // The e-mail that notifies a person of the promotion from the waiting list already describes the changed course.
      isTold: (webUserId: number) => promoted.has(`${course.id} ${webUserId}`),
    })),
  )
}

/** Course and person of each booking in this state, as 'courseId webUserId'. */
const listPlaces = async (
  { tx }: OfficeContext,
  courseIds: readonly number[],
  wanted: ActiveBookingState,
): Promise<Set<string>> =>
  new Set(
    (await listActiveBookings(tx, courseIds)).flatMap(({ courseId, webUserId, state }) =>
      state === wanted ? [`${courseId} ${webUserId}`] : [],
    ),
  )

type Changed = { course: OfficeCourseRow; was: EditedCourse; is: EditedCourse }

/** Notices to send about a changed course. A changed venue is not reported if the course is cancelled or over. */
function updateOf({ course, was, is }: Changed, substitutes: string[]): CourseUpdate[] {
  const isConfirmationChanged = was.isConfirmed !== is.isConfirmed
  const isMoved = was.place !== is.place && !course.isOver && !course.isCancelled
  if (!isConfirmationChanged && !isMoved) return []
  const confirmation = is.isConfirmed ? 'confirmCourse' : 'unconfirmCourse'
  const linesIn = (language: Language) => [
    ...(isMoved ? [translate(language, 'office.notice.room', { from: was.place || '–', to: is.place || '–' })] : []),
    ...(isConfirmationChanged ? [translate(language, `office.notice.${confirmation}.text`)] : []),
  ]
  const { Booked, Waitinglist } = BOOKING_STATUS
  return [
    {
      course,
      notice: isMoved
        ? { key: 'changeCourse', values: language => ({ changes: linesIn(language).join('\n') }) }
        : { key: confirmation },
      line: language => linesIn(language).join('\n'),
      // People on the waiting list are notified only if the venue changed.
      states: isMoved ? [Booked, Waitinglist] : [Booked],
      ...(isMoved && { guestsOf: 'venue' as const }),
      instructors: isMoved ? substitutes : [],
    },
  ]
}
