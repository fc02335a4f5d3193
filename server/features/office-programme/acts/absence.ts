import type { ActHandler } from '#server/features/office/desk-service.ts'
import { deleteAbsence, findAbsentInstructor, insertAbsence, listLessonIdsInAbsence } from '../absence-repository.ts'
import { formatDateRange } from '../course-service.ts'
import { notifyUpdates } from '../course-update-service.ts'
import { editLessons } from '../lesson-edit-service.ts'

/** Registers an instructor's absence. Each listed lesson gets a substitute or another time, or is cancelled. */
export const setAbsence: ActHandler<'set-absence'> = async (desk, act) => {
  const { instructorEmail, from, to, lessons } = act
  const { tx } = desk
  if (to < from) desk.fail('failed.dateOrder')
  await desk.open('instructors', instructorEmail)
  const absence = { instructorEmail, from, to }
  const taught = new Set(await listLessonIdsInAbsence(tx, absence))
  if (lessons.some(({ courseDateId }) => !taught.has(courseDateId))) desk.fail('failed.notTaught')
  const absenceId = await insertAbsence(tx, absence)
  desk.programmeChanged()
  desk.note({ objects: { absenceId }, after: { from, to } })
  const edits = lessons.map(({ substituteEmail, ...lesson }) => ({
    ...lesson,
    ...(substituteEmail !== undefined && { instructorEmail: substituteEmail }),
  }))
  const updates = await editLessons(desk, edits, act)
  await notifyUpdates(desk, updates, { ...act, key: 'absence', values: formatDateRange(absence) })
  return { absenceId }
}

/** Removes an absence and reverts the changes to its lessons. */
export const removeAbsence: ActHandler<'remove-absence'> = async (desk, { absenceId, lessons, ...notes }) => {
  const { tx } = desk
  const instructorEmail = (await findAbsentInstructor(tx, absenceId)) ?? desk.fail('unknown.absences')
  await desk.open('instructors', instructorEmail)
  const absence = (await deleteAbsence(tx, absenceId)) ?? desk.fail('unknown.absences')
  const { from, to } = absence
  desk.programmeChanged()
  desk.note({ objects: { absenceId }, before: { from, to } })
  const updates = await editLessons(desk, lessons, notes)
  await notifyUpdates(desk, updates, {
    ...notes,
    instructorEmail,
    key: 'absenceOver',
    values: formatDateRange(absence),
  })
  return undefined
}
