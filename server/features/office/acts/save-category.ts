import { tables } from '#server/import/tables.ts'
import type { ActHandler } from '../desk-service.ts'
import { saveRow } from '../programme-service.ts'

/** A new category, or changes of one. */
export const saveCategory: ActHandler<'save-category'> = async (desk, act) => {
  if (act.icon?.includes('.')) desk.fail('failed.file')
  const id = await saveRow(desk, 'categories', tables.categories, act)
  desk.note({ objects: { categoryId: id } })
  return { id }
}
