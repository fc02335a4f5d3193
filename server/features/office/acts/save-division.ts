import { tables } from '#server/import/tables.ts'
import type { ActHandler } from '../desk-service.ts'
import { saveRow } from '../programme-service.ts'

export const saveDivision: ActHandler<'save-division'> = async (desk, act) => {
  const id = await saveRow(desk, 'divisions', tables.divisions, act)
  desk.note({ objects: { divisionId: id } })
  return { id }
}
