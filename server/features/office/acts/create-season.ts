import { tables } from '#server/import/tables.ts'
import type { ActHandler } from '../desk-service.ts'
import { saveRow } from '../programme-service.ts'

/** A draft: nothing of it is to be seen outside the desk. */
export const createSeason: ActHandler<'create-season'> = async (desk, act) => {
  if (act.startsAt && act.endsAt && act.endsAt < act.startsAt) desk.fail('failed.dateOrder')
  // Columns without a value have to be there for a new row, with what an empty cell gives.
  const seasonId = await saveRow(desk, 'seasons', tables.seasons, {
    bookableFrom: '',
    viewableFrom: '',
    draft: true,
    ...act,
  })
  desk.note({ objects: { seasonId } })
  return { seasonId }
}
