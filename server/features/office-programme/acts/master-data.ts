import { latestYearOfBirth } from '#contract/profile-rules.ts'
import { findServerTime } from '#server/db/date-time.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { storeUpload } from '#server/features/office/upload-service.ts'
import { tables } from '#server/import/tables.ts'
import { writeTable } from '#server/import/write/table-rows.ts'
import { findAccountId, findInstructorName } from '../instructor-repository.ts'
import { readFields, saveRow, tableOf } from '../table-service.ts'

/** Creates or changes an instructor; an account with the same address gets instructor access. */
export const saveInstructor: ActHandler<'save-instructor'> = async (desk, act) => {
  const { tx } = desk
  const { email } = act
  const isNew = (await findInstructorName(tx, email)) === null
  if (isNew && act.familyName === undefined) desk.fail('failed.name')
  if (!isNew) await desk.open('instructors', email)
  const year = Number((await findServerTime(tx)).slice(0, 4))
  if (act.yearOfBirth && act.yearOfBirth > latestYearOfBirth(year)) desk.fail('failed.yearOfBirth')
  const values = readFields(desk, tables.instructors, act)
  // A picture is uploaded or removed: a file name alone is rejected.
  if (values.pictureFileName) desk.fail('failed.file')
  const picture = act.fileId ? await storeUpload(desk, act.fileId, { scope: 'content', recipes: ['picture'] }) : null
  if (picture) values.pictureFileName = picture.name
  const table = tableOf(tables.instructors, [values], new Set(Object.keys(values)))
  for (const row of picture ? table.rows : []) row.hashes.picture_sha256 = picture?.hashes.picture ?? null
  await writeTable(tx, table, { table: 'instructors', key: ['email'] })
  if (isNew) desk.setCreated('instructors', email)
  desk.programmeChanged()
  // The audit log holds no e-mail addresses: the account of the address is noted by id.
  const webUserId = await findAccountId(tx, email)
  if (webUserId !== null) desk.addAffected({ people: [webUserId] })
  desk.note({ ...(webUserId !== null && { objects: { webUserId } }), after: { isNew, fields: Object.keys(values) } })
}

export const saveCategory: ActHandler<'save-category'> = async (desk, { fileId, ...fields }) => {
  // A picture is uploaded or removed: a file name alone is rejected.
  if (fields.icon?.includes('.')) desk.fail('failed.file')
  const picture = fileId ? await storeUpload(desk, fileId, { scope: 'content', recipes: ['picture'] }) : null
  const id = await saveRow(
    desk,
    'categories',
    tables.categories,
    { ...fields, ...(picture && { icon: picture.name }) },
    picture ? { icon_sha256: picture.hashes.picture } : {},
  )
  desk.note({ objects: { categoryId: id } })
  return { id }
}

export const saveDivision: ActHandler<'save-division'> = async (desk, act) => {
  const id = await saveRow(desk, 'divisions', tables.divisions, act)
  desk.note({ objects: { divisionId: id } })
  return { id }
}
