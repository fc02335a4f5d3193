import { listCoursesToSettle, listSettleableCourses } from '#server/features/money/settlement-repository.ts'
import { calculateSettlementLines, isSettlementOutdated } from '#server/features/money/settlement-service.ts'
import { type ActHandler, accountIdOf } from '#server/office/frame/office-context-service.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { countUnsettledCourses, findSeasonReport, insertSeasonReport } from '../report-repository.ts'
import { calculateSeasonFigures } from '../report-service.ts'

/**
 * Freezes the figures of a season's report. Requires a reason if courses are unsettled or outdated. Repeating it
 * changes nothing.
 */
const closeSeason: ActHandler<'close-season'> = async (office, { seasonId }) => {
  const { tx, config, actor } = office
  await office.open('seasons', seasonId)
  office.note({ objects: { seasonId } })
  if ((await findSeasonReport(tx, seasonId))?.closedAt) return {}
  const courses = await listCoursesToSettle(tx, await listSettleableCourses(tx, seasonId))
  const now = await findServerTime(tx)
  const outdated = courses.filter(course =>
    isSettlementOutdated(course, calculateSettlementLines(course, config.region, now)),
  ).length
  const count = (await countUnsettledCourses(tx, seasonId)) + outdated
  if (count > 0) office.askReason('reason.unsettled', { count })
  await insertSeasonReport(tx, {
    seasonId,
    figures: await calculateSeasonFigures(tx, seasonId, config.region),
    closedBy: accountIdOf(actor),
  })
  office.note({ after: { unsettled: count } })
  return {}
}

export const seasonClosingHandlers = {
  'close-season': closeSeason,
}
