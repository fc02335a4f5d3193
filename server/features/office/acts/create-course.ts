import { sql } from '#server/db/client.ts'
import { Problems } from '#server/import/problems.ts'
import { planSchedules } from '#server/import/schedule.ts'
import { tables } from '#server/import/tables.ts'
import { requireClashesAccepted } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'
import { readFields, requireFreeNumbers, requireReferences, tableOf, writeDeskCourses } from '../programme-service.ts'
import { askAboutOnlyDay, lessonsOf, namesOf, requireOrder } from './course-fields.ts'

/** A course of a season; its lessons follow from weekday, first and last day, the region's holidays left out. */
export const createCourse: ActHandler<'create-course'> = async (desk, act) => {
  const { tx, config } = desk
  const values = readFields(desk, tables.courses, act)
  const { number = '', start = '' } = values
  requireOrder(desk, values)
  await requireReferences(desk, values)
  await requireFreeNumbers(desk, [number])
  const courses = tableOf(tables.courses, [values], new Set(Object.keys(tables.courses.columns)))
  const courseDates = tableOf(tables.courseDates, [], new Set())
  const schedules = planSchedules({ courses, courseDates }, { courses: new Map() }, config.region, new Problems())
  askAboutOnlyDay(desk, start, values.end ?? start)
  await writeDeskCourses(desk, courses, schedules)
  const { id } = await tx.one<{ id: number }>(sql`select id from courses where number = ${number}`)
  desk.made('courses', id)
  desk.concern({ courses: [id] })
  desk.note({ objects: { courseId: id }, after: namesOf(values) })
  const schedule = schedules.get(number)
  if (schedule) desk.makes({ courses: 1, ...lessonsOf(desk, schedule) })
  await requireClashesAccepted(desk, { courseId: id })
  return { courseId: id }
}
