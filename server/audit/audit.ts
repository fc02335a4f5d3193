import { type Database, sql } from '#server/db/client.ts'
import { auditRules } from './rules.ts'

export type Audit = {
  /** one line for each; none: all is as it has to be */
  findings: string[]
  /** rows looked at */
  checked: Record<'courses' | 'bookings' | 'mails' | 'presences' | 'people', number>
}

/** Checks the database against what has to hold in it, all at one moment, beside running portals. Changes nothing. */
export const auditPortal = (db: Database): Promise<Audit> =>
  db.transaction(async tx => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    await tx.execute(sql`set local statement_timeout = 0`)
    const findings: string[] = []
    for (const { query } of auditRules) {
      const rows = await tx.query<{ finding: string }>(query)
      findings.push(...rows.map(({ finding }) => finding))
    }
    const checked = await tx.one<Audit['checked']>(sql`
      select (select count(*) from courses) as courses, (select count(*) from bookings) as bookings,
        (select count(*) from mails) as mails, (select count(*) from attendances) as presences,
        (select count(*) from web_users) as people`)
    return { findings, checked }
  })
