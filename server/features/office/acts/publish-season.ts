import { sql } from '#server/db/client.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import type { ActHandler, Desk } from '../desk-service.ts'

async function setDraft(desk: Desk, seasonId: number, isDraft: boolean): Promise<undefined> {
  await desk.open('seasons', seasonId)
  const { count } = await desk.tx.one<{ count: number }>(sql`
    select count(*) from bookings b join courses c on c.id = b.course_id where c.season_id = ${seasonId}`)
  if (isDraft && count > 0) desk.fail('failed.hasBookings')
  await desk.tx.execute(sql`update seasons set is_draft = ${isDraft} where id = ${seasonId}`)
  await refreshOpenings(desk.tx)
  desk.programmeChanged()
  desk.note({ objects: { seasonId }, after: { isDraft } })
}

/** Seen from its own moment on. */
export const publishSeason: ActHandler<'publish-season'> = (desk, { seasonId }) => setDraft(desk, seasonId, false)

/** A draft again, as long as nobody has ever booked. */
export const unpublishSeason: ActHandler<'unpublish-season'> = (desk, { seasonId }) => setDraft(desk, seasonId, true)
