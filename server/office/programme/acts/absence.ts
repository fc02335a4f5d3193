import type { ActHandler } from '#server/office/frame/office-context-service.ts'
import {
  deleteAbsence,
  findAbsentInstructor,
  insertAbsence,
  listLessonIdsAfterAbsence,
  listLessonIdsInAbsence,
} from '../absence-repository.ts'
import { formatDateRange } from '../course-service.ts'
import { notifyUpdates } from '../course-update-service.ts'
import { editLessons } from '../lesson-edit-service.ts'
import { listRequestedLessons } from '../substitute-repository.ts'
import { withdrawRequests } from './substitutes.ts'

/** Registers an instructor's absence. Each listed lesson gets a substitute or another time, or is cancelled. */
const setAbsence: ActHandler<'set-absence'> = async (office, act) => {
  const { instructorEmail, from, to, lessons } = act
  const { tx } = office
  if (to < from) office.fail('failed.dateOrder')
  await office.open('instructors', instructorEmail)
  const absence = { instructorEmail, from, to }
  const taught = new Set(await listLessonIdsInAbsence(tx, absence))
  if (lessons.some(({ courseDateId }) => !taught.has(courseDateId))) office.fail('failed.notTaught')
  const { absenceId, isNew } = await insertAbsence(tx, absence)
  office.programmeChanged()
  office.note({ objects: { absenceId }, after: { from, to } })
  const edits = lessons.map(({ substituteEmail, ...lesson }) => ({
    ...lesson,
    ...(substituteEmail !== undefined && { instructorEmail: substituteEmail }),
  }))
  const updates = await editLessons(office, edits, act)
  await notifyUpdates(office, updates, { ...act, key: 'absence', values: formatDateRange(absence) })
  return { absenceId, isNew }
}

/** Removes an absence and reverts the changes to its lessons. */
const removeAbsence: ActHandler<'remove-absence'> = async (office, { absenceId, lessons, ...notes }) => {
  const { tx } = office
  const instructorEmail = (await findAbsentInstructor(tx, absenceId)) ?? office.fail('unknown.absences')
  await office.open('instructors', instructorEmail)
  const absence = (await deleteAbsence(tx, absenceId)) ?? office.fail('unknown.absences')
  await withdrawRequests(office, await listRequestedLessons(tx, await listLessonIdsAfterAbsence(tx, absence)))
  const { from, to } = absence
  office.programmeChanged()
  office.note({ objects: { absenceId }, before: { from, to } })
  const updates = await editLessons(office, lessons, notes)
  await notifyUpdates(office, updates, {
    ...notes,
    instructorEmail,
    key: 'absenceOver',
    values: formatDateRange(absence),
  })
  return undefined
}

export const absenceHandlers = {
  'set-absence': setAbsence,
  'remove-absence': removeAbsence,
}
