import { removeCancellationCharges } from '#server/features/bookings/office-booking-repository.ts'
import { type LessonClash, listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { reverseCourseLedgerEntries } from '#server/features/money/settlement-service.ts'
import { type ImportOptions, type ImportOutcome, importFolder } from '#server/features/programme/import-programme.ts'
import { accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { listAbsentInstructors } from '#server/office/programme/absence-repository.ts'
import { listLessonsInClosedRooms } from '#server/office/programme/closure-repository.ts'
import { notifyCourseChanges } from '#server/office/programme/course-change-service.ts'
import { findOfficeCourseRow, snapshotCourses } from '#server/office/programme/course-repository.ts'
import {
  notifyOfCourseCancellation,
  notifyOfCourseRestoration,
} from '#server/office/programme/course-update-service.ts'
import { listCoursesWrittenByTransaction, listLessonCountsByCourse } from './repository.ts'

export type ImportedProgramme = Extract<ImportOutcome, { isDone: true }> & { clashes: LessonClash[] }

const keyOf = ({ courseId, otherCourseId, at, roomId, instructor }: LessonClash) =>
  [courseId, otherCourseId, at, roomId, instructor].join(' ')

type Conflict = Parameters<OfficeContext['clash']>[0]

/**
 * Future lessons in closed rooms or of absent instructors, as conflicts. The keys have no names, because a renamed
 * course, venue or instructor is not a new conflict.
 */
async function listBlockedLessons({ tx, language }: OfficeContext): Promise<Map<string, Conflict>> {
  const atOf = (heldAt: string) => heldAt.slice(0, 16).replace(' ', 'T')
  const closed = await listLessonsInClosedRooms(tx, null, language)
  const absent = await listAbsentInstructors(tx, null, language)
  return new Map<string, Conflict>([
    ...closed.map(
      ({ courseId, roomId, room, name, heldAt }) =>
        [`${courseId} ${heldAt} ${roomId}`, { room, courseId, name, at: atOf(heldAt) }] as const,
    ),
    ...absent.map(
      ({ courseId, email, name, course, heldAt }) =>
        [`${courseId} ${heldAt} ${email}`, { instructor: name, courseId, name: course, at: atOf(heldAt) }] as const,
    ),
  ])
}

/**
 * Imports a folder as part of an action of the office UI. The result lists new double bookings of rooms and
 * instructors; new lessons in closed rooms or of absent instructors are conflicts of the action.
 * @throws ActRejected with the reason
 */
export async function importProgrammeFolder(
  office: OfficeContext,
  options: Omit<ImportOptions, 'region' | 'isDryRun'>,
): Promise<ImportedProgramme> {
  const { tx, config, language } = office
  const before = await snapshotCourses(tx, null)
  const known = new Set((await listLessonClashes(tx, {})).map(keyOf))
  const blocked = await listBlockedLessons(office)
  const counted = new Map((await listLessonCountsByCourse(tx, language)).map(({ id, lessons }) => [id, lessons]))
  const outcome = await importFolder(tx, { ...options, region: config.region, language })
  if (!outcome.isDone)
    return office.fail('failed.import', { count: outcome.problems.length }, { errors: outcome.problems })
  for (const { courseId, people, note, note2 } of outcome.cancelled) {
    await removeCancellationCharges(tx, courseId)
    await reverseCourseLedgerEntries(tx, courseId, { region: config.region, actorId: accountIdOf(office.actor) })
    const course = await findOfficeCourseRow(tx, courseId)
    if (course) await notifyOfCourseCancellation(office, course, people, note, note2)
  }
  for (const { courseId, ...notes } of outcome.restored) await notifyOfCourseRestoration(office, courseId, notes)
  await notifyCourseChanges(office, before)
  const found = outcome.hasChanged ? await listLessonClashes(tx, { language }) : []
  const clashes = found.filter(clash => !known.has(keyOf(clash)))
  for (const [key, clash] of outcome.hasChanged ? await listBlockedLessons(office) : [])
    if (!blocked.has(key)) office.clash(clash)
  const written = await listCoursesWrittenByTransaction(tx)
  office.addAffected({ courses: written })
  const courses =
    written.length === 0 ? [] : (await listLessonCountsByCourse(tx, language)).filter(({ id }) => written.includes(id))
  office.addToPreview({
    courses: courses.filter(({ id }) => !counted.has(id)).length,
    fewerLessons: courses.flatMap(({ id, number, name, lessons: now }) => {
      const before = counted.get(id) ?? 0
      return now > 0 && now < before ? [{ number, name, before, now }] : []
    }),
    withoutLessons: courses.flatMap(({ number, name, lessons }) => (lessons === 0 ? [{ number, name }] : [])),
  })
  office.note({ after: Object.fromEntries(outcome.counts.map(([file, counts]) => [file, counts])) })
  return { ...outcome, clashes }
}
