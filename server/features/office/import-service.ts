import { type LessonClash, listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { type ImportOptions, type ImportOutcome, importFolder } from '#server/import/import-programme.ts'
import { tellCancelled } from './cancellation-service.ts'
import { snapshotCourses } from './course-news-repository.ts'
import { tellCourseDifferences } from './course-news-service.ts'
import { findDeskCourse } from './course-repository.ts'
import type { Desk } from './desk-service.ts'
import { listWrittenCourses } from './import-repository.ts'

export type ImportedProgramme = Extract<ImportOutcome, { isDone: true }> & { clashes: LessonClash[] }

const keyOf = ({ courseId, otherCourseId, at, room, instructor }: LessonClash) =>
  [courseId, otherCourseId, at, room, instructor].join(' ')

/** Imports a folder as an act; says which rooms and instructors are needed twice from now on. @throws NotDone saying what is wrong */
export async function importAsAct(
  desk: Desk,
  options: Omit<ImportOptions, 'region' | 'isDryRun'>,
): Promise<ImportedProgramme> {
  const { tx, config } = desk
  const before = await snapshotCourses(tx, null)
  const known = new Set((await listLessonClashes(tx, {})).map(keyOf))
  const outcome = await importFolder(tx, { ...options, region: config.region, language: desk.language })
  if (!outcome.isDone)
    return desk.failWith(desk.say('failed.import', { count: outcome.problems.length }), { errors: outcome.problems })
  for (const { courseId, people } of outcome.cancelled) {
    const course = await findDeskCourse(tx, courseId)
    if (course) await tellCancelled(desk, course, people)
  }
  await tellCourseDifferences(desk, before)
  const found = outcome.hasChanged ? await listLessonClashes(tx, {}) : []
  const clashes = found.filter(clash => !known.has(keyOf(clash)))
  desk.concern({ courses: await listWrittenCourses(tx) })
  desk.note({ after: Object.fromEntries(outcome.counts.map(([file, counts]) => [file, counts])) })
  return { ...outcome, clashes }
}
