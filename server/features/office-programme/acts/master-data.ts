import { latestYearOfBirth } from '#contract/profile-rules.ts'
import { sql } from '#server/db/client.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { storeUpload } from '#server/features/office/upload-service.ts'
import { tables } from '#server/import/tables.ts'
import { writeTable } from '#server/import/write/table-rows.ts'
import { isThere } from '../table-repository.ts'
import { readFields, saveRow, tableOf } from '../table-service.ts'

/** A new instructor, or another card of one; whoever has an account with the address teaches by it. */
export const saveInstructor: ActHandler<'save-instructor'> = async (desk, act) => {
  const { tx } = desk
  const { email } = act
  const isNew = !(await isThere(tx, sql`select from instructors where email = ${email}`))
  if (isNew && act.familyName === undefined) desk.fail('failed.name')
  if (!isNew) await desk.open('instructors', email)
  const { year } = await tx.one<{ year: number }>(sql`select extract(year from localtimestamp) as year`)
  if (act.yearOfBirth && act.yearOfBirth > latestYearOfBirth(year)) desk.fail('failed.yearOfBirth')
  const values = readFields(desk, tables.instructors, act)
  // A picture comes as a file, or goes; its name alone is none.
  if (values.pictureFileName) desk.fail('failed.file')
  const picture = act.fileId ? await storeUpload(desk, act.fileId, { scope: 'content', recipes: ['picture'] }) : null
  if (picture) values.pictureFileName = picture.name
  const table = tableOf(tables.instructors, [values], new Set(Object.keys(values)))
  for (const row of picture ? table.rows : []) row.hashes.picture_sha256 = picture?.hashes.picture ?? null
  await writeTable(tx, table, { table: 'instructors', key: ['email'] })
  if (isNew) desk.made('instructors', email)
  desk.programmeChanged()
  // Who it is stays out of the record: the account of the address, where there is one.
  const person = await tx.maybeOne<{ id: number }>(sql`
    select id from web_users where email = ${email} and deleted_at is null`)
  if (person) desk.concern({ people: [person.id] })
  desk.note({ ...(person && { objects: { webUserId: person.id } }), after: { isNew, fields: Object.keys(values) } })
}

export const saveCategory: ActHandler<'save-category'> = async (desk, { fileId, ...fields }) => {
  // A picture comes as a file, or goes; its name alone is none.
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
