import { sql } from '#server/db/client.ts'
import { tables } from '#server/import/tables.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import type { ActHandler } from '../desk-service.ts'
import { isRowThere, isThere } from '../programme-repository.ts'
import { saveRow } from '../programme-service.ts'

/** Other facts of a season; when its courses open follows. */
export const changeSeason: ActHandler<'change-season'> = async (desk, { seasonId, ...act }) => {
  if (!(await isRowThere(desk.tx, 'seasons', seasonId))) desk.fail('unknown.seasons')
  await saveRow(desk, 'seasons', tables.seasons, { ...act, id: seasonId })
  if (await isThere(desk.tx, sql`select from seasons where id = ${seasonId} and ends_at < starts_at`))
    desk.fail('failed.dateOrder')
  await refreshOpenings(desk.tx)
  desk.note({ objects: { seasonId } })
}
