import type { ActHandler } from '#server/office/frame/office-context-service.ts'
import { deleteClosure, insertClosure, isSiteKnown, listLessonIdsInClosure } from '../closure-repository.ts'
import { notifyUpdates } from '../course-update-service.ts'
import { editLessons } from '../lesson-edit-service.ts'

/**
 * Closes rooms or a site for some days. Each listed lesson gets another room or time, or is cancelled; the others are
 * shown on *Today*. The same closure again only changes the listed lessons.
 */
const setClosure: ActHandler<'set-closure'> = async (office, act) => {
  const { roomIds = [], site = '', from, to, lessons } = act
  const { tx } = office
  if ((roomIds.length === 0) === (site === '')) office.fail('failed.roomsOrSite')
  if (to < from) office.fail('failed.dateOrder')
  if (roomIds.length > 0) await office.touch('rooms', ...roomIds)
  else if (!(await isSiteKnown(tx, site))) office.fail('unknown.site')
  const closure = { roomIds, site, from, to }
  const concerned = new Set(await listLessonIdsInClosure(tx, closure))
  if (lessons.some(({ courseDateId }) => !concerned.has(courseDateId))) office.fail('failed.notInClosure')
  const { closureId, isNew } = await insertClosure(tx, closure)
  office.programmeChanged()
  office.note({ objects: { closureId, ...(site && { site }) }, after: { from, to, ...(!site && { roomIds }) } })
  await notifyUpdates(office, await editLessons(office, lessons, act))
  return { closureId, isNew }
}

/** Reopens closed rooms or a closed site, and optionally reverts the changes to its lessons. */
const removeClosure: ActHandler<'remove-closure'> = async (office, { closureId, lessons, ...notes }) => {
  const closure = (await deleteClosure(office.tx, closureId)) ?? office.fail('unknown.closures')
  const { from, to, site, roomIds } = closure
  office.programmeChanged()
  office.note({ objects: { closureId, ...(site && { site }) }, before: { from, to, ...(!site && { roomIds }) } })
  await notifyUpdates(office, await editLessons(office, lessons, notes))
  return undefined
}

export const closureHandlers = {
  'set-closure': setClosure,
  'remove-closure': removeClosure,
}
