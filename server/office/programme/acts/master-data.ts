import { COURSE_TEMPLATE_FIELDS } from '#contract/acts/programme.ts'
import { entriesOf, keysOf, pick } from '#contract/records.ts'
import { latestYearOfBirth } from '#contract/rules/profile-rules.ts'
import { ROOM_FIELDS } from '#contract/tables/programme.ts'
import type { Language } from '#contract/values.ts'
import { listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { importTableDefinitions } from '#server/features/programme/tables.ts'
import { upsertTable } from '#server/features/programme/write/upsert.ts'
import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { storeUpload } from '#server/office/frame/upload-service.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { notifyCourseChanges } from '../course-change-service.ts'
import { listOfficeCourseRows, type OfficeCourseRow, snapshotCourses } from '../course-repository.ts'
import { requireClashesAccepted, toClashResponse } from '../course-service.ts'
import { type CourseUpdate, notifyUpdates } from '../course-update-service.ts'
import {
  countFutureLessons,
  deleteRoom,
  deleteTemplate,
  findAccountId,
  findInstructorName,
  findRoomNameAndSite,
  insertInstructorsByDisplayedName,
  isRoomNameTaken,
  isRoomUsed,
  isTemplateNameTaken,
  listCoursesByDisplayedInstructor,
  listCoursesInRoom,
  listFutureLessonsInRooms,
  renameVenuesOfRoom,
  upsertTableRow,
} from '../table-repository.ts'
import { assertReferencesExist, parseActFields, saveTableRow, toColumnValues, toImportTable } from '../table-service.ts'

/** Creates or updates an instructor. An account with the instructor's e-mail address gets instructor access. */
const saveInstructor: ActHandler<'save-instructor'> = async (office, act) => {
  const { tx } = office
  const { email } = act
  const isNew = (await findInstructorName(tx, email)) === null
  if (isNew && act.familyName === undefined) office.fail('failed.name')
  if (!isNew) await office.open('instructors', email)
  const year = Number((await findServerTime(tx)).slice(0, 4))
  if (act.yearOfBirth && act.yearOfBirth > latestYearOfBirth(year)) office.fail('failed.yearOfBirth')
  const values = parseActFields(office, importTableDefinitions.instructors, act)
  // A picture can only be uploaded or removed; a file name alone is rejected.
  if (values.pictureFileName) office.fail('failed.file')
  const picture = act.fileId ? await storeUpload(office, act.fileId, { scope: 'content', recipes: ['picture'] }) : null
  if (picture) values.pictureFileName = picture.name
  const table = toImportTable(importTableDefinitions.instructors, [values], new Set(Object.keys(values)))
  for (const row of picture ? table.rows : []) row.hashes.picture_sha256 = picture?.hashes.picture ?? null
  await upsertTable(tx, table, { table: 'instructors', key: ['email'] })
  if (isNew) office.setCreated('instructors', email)
  office.programmeChanged()
  // The audit log contains no e-mail addresses, so it records the account with the instructor's e-mail address by its
  // id.
  const webUserId = await findAccountId(tx, email)
  if (webUserId !== null) office.addAffected({ people: [webUserId] })
  office.note({ ...(webUserId !== null && { objects: { webUserId } }), after: { isNew, fields: Object.keys(values) } })
}

/** Notice to the instructors of a course that had none. */
function toAssignment(course: OfficeCourseRow): CourseUpdate {
  const line = (language: Language) => translate(language, 'office.notice.assigned')
  const values = (language: Language) => ({ changes: line(language) })
  return { course, notice: { key: 'changeCourse', values }, line, states: [], instructors: [] }
}

/**
 * Assigns instructors to the future courses that display their names and have no instructor, as after an import.
 * Creates those who do not exist yet.
 */
const linkInstructors: ActHandler<'link-instructors'> = async (office, { instructors }) => {
  const { tx } = office
  const names = [...new Set(instructors.map(({ name }) => name))]
  const courseIds = (await listCoursesByDisplayedInstructor(tx, names)).map(({ id }) => id)
  if (courseIds.length === 0) office.fail('failed.noCourseOfInstructor')
  await office.touch('courses', ...courseIds)
  const created: string[] = []
  for (const [email, [first]] of Map.groupBy(instructors, one => one.email)) {
    if ((await findInstructorName(tx, email)) !== null) continue
    const { familyName = '', givenName = '' } = first ?? {}
    if (familyName.trim() === '') office.fail('failed.unnamedInstructor', { email })
    const values = parseActFields(office, importTableDefinitions.instructors, { email, familyName, givenName })
    const table = toImportTable(importTableDefinitions.instructors, [values], new Set(Object.keys(values)))
    await upsertTable(tx, table, { table: 'instructors', key: ['email'] })
    created.push(email)
  }
  await insertInstructorsByDisplayedName(tx, courseIds, instructors)
  await requireClashesAccepted(office, { courseIds })
  office.programmeChanged()
  const lessons = await countFutureLessons(tx, courseIds)
  office.note({ after: { courses: courseIds.length, created: created.length } })
  await notifyUpdates(office, (await listOfficeCourseRows(tx, courseIds)).map(toAssignment))
  return { courses: courseIds.length, lessons, created: created.length }
}

const saveCategory: ActHandler<'save-category'> = async (office, { fileId, ...fields }) => {
  // A picture can only be uploaded or removed; a file name alone is rejected.
  if (fields.icon?.includes('.')) office.fail('failed.file')
  const picture = fileId ? await storeUpload(office, fileId, { scope: 'content', recipes: ['picture'] }) : null
  const id = await saveTableRow(
    office,
    'categories',
    importTableDefinitions.categories,
    { ...fields, ...(picture && { icon: picture.name }) },
    picture ? { icon_sha256: picture.hashes.picture } : {},
  )
  office.note({ objects: { categoryId: id } })
  return { id }
}

const saveDivision: ActHandler<'save-division'> = async (office, act) => {
  const id = await saveTableRow(office, 'divisions', importTableDefinitions.divisions, act)
  office.note({ objects: { divisionId: id } })
  return { id }
}

/**
 * Creates or updates a room. Courses refer to it by venue and site: with another name or site, they remain in the room,
 * and those who attend or teach a coming lesson there are notified.
 */
const saveRoom: ActHandler<'save-room'> = async (office, { roomId = null, ...fields }) => {
  const { tx } = office
  if (roomId !== null) await office.open('rooms', roomId)
  else if (fields.name === undefined || fields.name.trim() === '') office.fail('failed.roomName')
  const row = toColumnValues(office, importTableDefinitions.rooms, fields)
  const stored = roomId === null ? null : await findRoomNameAndSite(tx, roomId)
  const key = { name: '', site: '', ...stored, ...row }
  if (await isRoomNameTaken(tx, key, roomId)) office.fail('failed.roomTaken')
  const isRenamed = stored !== null && (key.name !== stored.name || key.site !== stored.site)
  const courseIds = isRenamed && roomId !== null ? await listCoursesInRoom(tx, roomId) : []
  await office.touch('courses', ...courseIds)
  const before = await snapshotCourses(tx, courseIds)
  if (isRenamed && roomId !== null) await renameVenuesOfRoom(tx, roomId, key)
  const id = await upsertTableRow(tx, 'rooms', roomId, roomId === null ? row : { ...stored, ...row })
  if (roomId === null) office.setCreated('rooms', id)
  else if (isRenamed) {
    // Another room of this name, at the city of some of the courses.
    const remaining = new Set(await listCoursesInRoom(tx, roomId))
    if (courseIds.some(courseId => !remaining.has(courseId))) office.fail('failed.roomTaken')
  }
  office.programmeChanged()
  await notifyCourseChanges(office, before)
  office.note({ objects: { roomId: id }, after: pick(fields, keysOf(ROOM_FIELDS)) })
  return { roomId: id }
}

/**
 * Creates rooms from the venues of the programme. Their lessons overlap from then on, unless the room is shared; the
 * response names these overlaps.
 */
const createRooms: ActHandler<'create-rooms'> = async (office, { rooms }) => {
  const roomIds: number[] = []
  for (const room of rooms) {
    if (await isRoomNameTaken(office.tx, { site: '', ...room }, null))
      office.fail('failed.roomsTaken', { name: room.name })
    roomIds.push(
      await upsertTableRow(office.tx, 'rooms', null, toColumnValues(office, importTableDefinitions.rooms, room)),
    )
  }
  const lessons = await listFutureLessonsInRooms(office.tx, roomIds)
  const lessonIds = lessons.map(({ id }) => id)
  for (const clash of await listLessonClashes(office.tx, { lessonIds, language: office.language }))
    if (clash.room !== null && clash.lessonId < clash.otherLessonId) office.clash(toClashResponse(clash))
  office.programmeChanged()
  office.note({ after: { rooms: rooms.map(({ name }) => name) } })
  return { roomIds, courses: new Set(lessons.map(({ courseId }) => courseId)).size, lessons: lessons.length }
}

/**
 * Creates or replaces a course template. Its values are validated like those of a course, and HTML is cleaned, but
 * stored as the form for a new course sends them.
 */
const saveTemplate: ActHandler<'save-template'> = async (office, { templateId = null, templateName, ...act }) => {
  const { tx } = office
  if (templateId !== null) await office.open('course_templates', templateId)
  if (await isTemplateNameTaken(tx, templateName, templateId)) office.fail('failed.templateTaken')
  const sent = pick(act, keysOf(COURSE_TEMPLATE_FIELDS))
  const values = parseActFields(office, importTableDefinitions.courses, sent)
  const parsed: Readonly<Record<string, unknown>> = values
  const fields = Object.fromEntries(
    entriesOf(sent).flatMap(([name, value]) =>
      value === undefined || value === null || value === ''
        ? []
        : [[name, COURSE_TEMPLATE_FIELDS[name].kind === 'html' ? parsed[name] : value]],
    ),
  )
  await assertReferencesExist(office, values)
  const id = await upsertTableRow(tx, 'course_templates', templateId, { name: templateName, fields })
  if (templateId === null) office.setCreated('course_templates', id)
  office.note({ objects: { templateId: id }, after: { name: templateName, fields: Object.keys(fields) } })
  return { templateId: id }
}

export async function removeTemplate(office: OfficeContext, id: number): Promise<void> {
  await office.open('course_templates', id)
  await deleteTemplate(office.tx, id)
}

/**
 * Deletes a room.
 * @throws ActRejected if a lesson takes place in it
 */
export async function removeRoom(office: OfficeContext, id: number): Promise<void> {
  await office.open('rooms', id)
  if (await isRoomUsed(office.tx, id)) office.fail('failed.inUse')
  await deleteRoom(office.tx, id)
  office.programmeChanged()
}

export const masterDataHandlers = {
  'save-template': saveTemplate,
  'save-room': saveRoom,
  'create-rooms': createRooms,
  'link-instructors': linkInstructors,
  'save-category': saveCategory,
  'save-division': saveDivision,
  'save-instructor': saveInstructor,
}
