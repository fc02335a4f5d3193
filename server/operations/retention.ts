import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import type { ReportProgress } from '#server/platform/process/progress.ts'
import { type RetentionRule, retentionRules } from './retention-rules.ts'

export type RetentionRow = Pick<RetentionRule, 'what' | 'after'> & { rows: number }

/** Thrown to roll back a dry run. */
class DryRun extends Error {
  readonly table: RetentionRow[]

  constructor(table: RetentionRow[]) {
    super('dry run')
    this.table = table
  }
}

const LOCK_NAME = 'retention'

async function applyAll(tx: Queryable, now: Date, report: ReportProgress): Promise<RetentionRow[]> {
  const table: RetentionRow[] = []
  for (const { what, after, apply } of retentionRules) {
    report(`applying rules ${table.length + 1} of ${retentionRules.length}`)
    table.push({ what, after, rows: await apply(tx, now) })
  }
  return table
}

/**
 * Applies all retention rules in one transaction, which a dry run rolls back.
 * @returns one row per rule; null if another server is already applying the rules
 */
export async function runRetention({
  db,
  now,
  isDryRun = false,
  report = () => undefined,
}: {
  db: Database
  now: Date
  isDryRun?: boolean
  report?: ReportProgress
}): Promise<RetentionRow[] | null> {
  try {
    return await db.transaction(async tx => {
      const { isOurs } = await tx.one<{ isOurs: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtextextended(${LOCK_NAME}, 0)) as "isOurs"`,
      )
      if (!isOurs) return null
      const table = await applyAll(tx, now, report)
      if (isDryRun) throw new DryRun(table)
      return table
    })
  } catch (error) {
    if (error instanceof DryRun) return error.table
    throw error
  }
}
