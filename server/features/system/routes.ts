import { getConfig, getDateTime, getHealth, getOpenApi, reportClientError } from '#contract/system.ts'
import type { ServerContext } from '#server/context.ts'
import { sql } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'
import { HttpProblem } from '#server/http/problems.ts'

export function mountSystem(api: Api, { db, log }: ServerContext): void {
  api.mount(getConfig, notImplemented)

  // The database's clock, not this server's: it decides the opening moment of a course.
  api.mount(getDateTime, async () => {
    const { now } = await db.one<{ now: string }>(sql`select localtimestamp(0) as now`)
    return toDateTimeValue(now)
  })

  api.mount(getHealth, async () => {
    try {
      await db.one(sql`select 1 as alive`)
      return { status: 'Ok' as const }
    } catch (error) {
      log.error({ err: error }, 'health check failed')
      throw new HttpProblem(503, 'http.unavailable')
    }
  })

  api.mount(reportClientError, notImplemented)
  api.mount(getOpenApi, notImplemented)
}
