import { type Database, type Queryable, sql } from '#server/db/client.ts'
import type { RecordHead } from '#server/features/office/record-repository.ts'
import { auditRules } from './rules.ts'

export type Audit = {
  /** one line for each; none: all is as it has to be */
  findings: string[]
  /** rows looked at */
  checked: Record<'courses' | 'bookings' | 'mails' | 'presences' | 'people', number>
}

/** @param head the record's last line as this machine has seen it */
async function findCutRecord(tx: Queryable, { number, hash }: RecordHead): Promise<string | null> {
  const line = await tx.maybeOne<{ hash: Buffer }>(sql`select hash from office_record where number = ${number}`)
  if (line === null) return `record: line ${number} was there and is gone`
  return line.hash.toString('hex') === hash ? null : `record: line ${number} is not the one that was there`
}

/** Checks the database against what has to hold in it, all at one moment, beside running portals. Changes nothing. */
export const auditPortal = (db: Database, head: RecordHead | null = null): Promise<Audit> =>
  db.transaction(async tx => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    await tx.execute(sql`set local statement_timeout = 0`)
    const findings: string[] = []
    for (const { query } of auditRules) {
      const rows = await tx.query<{ finding: string }>(query)
      findings.push(...rows.map(({ finding }) => finding))
    }
    const cut = head && (await findCutRecord(tx, head))
    if (cut) findings.push(cut)
    const checked = await tx.one<Audit['checked']>(sql`
      select (select count(*) from courses) as courses, (select count(*) from bookings) as bookings,
        (select count(*) from mails) as mails, (select count(*) from attendances) as presences,
        (select count(*) from web_users) as people`)
    return { findings, checked }
  })
