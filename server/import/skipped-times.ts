import { type Queryable, sql } from '#server/db/client.ts'
import { message } from './messages.ts'
import type { Folder } from './parse-folder.ts'
import type { Problems } from './problems.ts'
import type { Schedule } from './schedule.ts'

/**
 * Wall-clock times 'YYYY-MM-DD HH:MM:SS' that do not exist in the portal's zone because of the change to summer time.
 */
export async function findSkippedTimes(tx: Queryable, times: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ at: string }>(sql`
    select at from unnest(${[...new Set(times)]}::text[]) at where at::timestamp::timestamptz::timestamp <> at::timestamp`)
  return new Set(rows.map(({ at }) => at))
}

/** Reports lessons at a time skipped by the change to summer time, by the row of the lesson, else of its course. */
export async function checkSkippedTimes(
  tx: Queryable,
  { courses, courseDates }: Pick<Folder, 'courses' | 'courseDates'>,
  schedules: ReadonlyMap<string, Schedule>,
  problems: Problems,
): Promise<void> {
  const skipped = await findSkippedTimes(
    tx,
    [...schedules.values()].flatMap(({ heldAt }) => heldAt ?? []),
  )
  if (skipped.size === 0) return
  for (const [number, { heldAt }] of schedules) {
    for (const at of heldAt?.filter(time => skipped.has(time)) ?? []) {
      const given = courseDates.rows.find(
        ({ values }) => values.courseNumber === number && values.date?.date === at.slice(0, 10),
      )
      const course = courses.rows.find(({ values }) => values.number === number)
      const position = (given ?? course)?.position
      if (position)
        problems.add(
          position,
          given ? 'date' : 'startTime',
          message`${at} does not exist: summer time begins and skips it`,
        )
    }
  }
}
