import { readAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { type AuditResult, auditPortal } from '#server/operations/audit/audit.ts'
import { auditRules } from '#server/operations/audit/rules.ts'
import { commandLine } from '#server/platform/config/config.ts'
import { runTool } from '#server/platform/db/run-tool.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { UsageError } from '#server/platform/process/start-error.ts'

export function formatAuditResult({ findings, checked }: AuditResult): string {
  if (findings.length > 0) return findings.join('\n')
  const amounts = Object.entries(checked).map(([name, count]) => `${count} ${name}`)
  return `Nothing found: ${auditRules.length} rules hold for ${amounts.join(', ')}.`
}

/** `npm run audit`. Exit status: 0 no findings, 1 findings, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError(`Usage: ${commandLine('audit')}`)
  const audit = await runTool('audit', async (db, config) => {
    const anchor = await readAuditAnchor(config.dataDir)
    return withProgress(report => auditPortal(db, anchor, report))
  })
  if (audit.findings.length > 0) process.exitCode = 1
  console.log(formatAuditResult(audit))
}
