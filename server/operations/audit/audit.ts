import { listChangedOrders } from '#server/features/bookings/booking-order-service.ts'
import {
  findLastAuditLogEntry,
  findUnanchoredEntry,
  type LastAuditLogEntry,
} from '#server/office/frame/audit-log-repository.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import type { ReportProgress } from '#server/platform/process/progress.ts'
import { auditRules } from './rules.ts'

export type AuditResult = {
  /** one line per violated rule; empty if no rule is violated */
  findings: string[]
  /** number of rows checked */
  checked: Record<'courses' | 'bookings' | 'mails' | 'presences' | 'people', number>
}

/**
 * Compares the audit log with the audit anchor (number and hash of the newest entry) in DATA_DIR.
 * @param anchor null if DATA_DIR contains no anchor
 */
async function findAnchorFaults(tx: Queryable, anchor: LastAuditLogEntry | null): Promise<string[]> {
  const head = await findLastAuditLogEntry(tx)
  if (anchor === null) return head ? [`record: no anchor in DATA_DIR, the log ends with line ${head.number}`] : []
  const line = await tx.maybeOne<{ hash: string }>(sql`
    select encode(hash, 'hex') as hash from office_record where number = ${anchor.number}`)
  if (line === null) return [`record: line ${anchor.number} was there and is gone`]
  if (line.hash !== anchor.hash) return [`record: line ${anchor.number} is not the one that was there`]
  const late = await findUnanchoredEntry(tx, anchor.number)
  return late === null ? [] : [`record: the anchor in DATA_DIR is at line ${anchor.number}, far behind line ${late}`]
}

/**
 * Checks the data invariants in one consistent, read-only snapshot. The portal may be running during the check.
 * @param anchor last audit log entry that this machine has seen; if undefined, the audit log is not checked
 */
export const auditPortal = (
  db: Database,
  anchor?: LastAuditLogEntry | null,
  report: ReportProgress = () => undefined,
): Promise<AuditResult> =>
  db.transaction(async tx => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    await tx.execute(sql`set local statement_timeout = 0`)
    const findings: string[] = []
    for (const [index, { query }] of auditRules.entries()) {
      report(`checking rules ${index + 1} of ${auditRules.length}`)
      const rows = await tx.query<{ finding: string }>(query)
      findings.push(...rows.map(({ finding }) => finding))
    }
    findings.push(...(await listChangedOrders(tx)))
    if (anchor !== undefined) findings.push(...(await findAnchorFaults(tx, anchor)))
    const checked = await tx.one<AuditResult['checked']>(sql`
      select (select count(*) from courses) as courses, (select count(*) from bookings) as bookings,
        (select count(*) from mails) as mails, (select count(*) from attendances) as presences,
        (select count(*) from web_users) as people`)
    return { findings, checked }
  })
