import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const file = join(import.meta.dirname, '../../docs/promises.md')
const readFile = (path: string) => readFileSync(path, 'utf8')
const page = readFile(file)
const alerts = readFileSync(join(dirname(file), 'operation/alerts.yml'), 'utf8')

/** Tests named by `<!-- tested: NAME, … -->` in the operator's manual, as `file › title`. */
const MANUAL_TESTS: Record<string, string> = {
  anchorStale:
    'server/office/frame/audit-anchor.test.ts › an audit anchor that cannot be written fails no call, causes a health warning, and is written later',
  auditPrinted:
    'server/commands/audit.test.ts › prints one line if there are no findings, otherwise one per finding, and the usage',
  audited: 'server/operations/audit/audit.test.ts › the audit finds: $what',
  backupConsistent:
    'server/operations/backup/backup.test.ts › a backup contains concurrent transactions completely or not at all',
  backupKept:
    'server/operations/backup/backup.test.ts › a file is never overwritten, and --keep retains the newest files in a folder',
  backupSigned:
    'server/operations/backup/restore.test.ts › a modified or unsigned backup is restored only with the operator’s consent',
  clusterUpgraded:
    'server/platform/postgres/upgrade.test.ts › the start upgrades a database of an older PostgreSQL, whichever process is killed, and keeps the old one',
  courseLocked: 'server/test/database-faults.test.ts › one locked course does not block others',
  databaseAway: 'server/test/database-faults.test.ts › a database that responds with "%s" is unavailable and recovers',
  databaseReadOnly:
    'server/test/database-faults.test.ts › a read-only database is unavailable, and its successor at the same address is used',
  deletedAgain:
    'server/operations/backup/restore.test.ts › account ids are never reused, so a deleted account stays deleted after two restores',
  diskFull:
    'server/platform/db/write-check.test.ts › a full disk: health is 503 while bookings are rejected, and recovers afterwards',
  diskFullStart:
    'server/test/full-disk.test.ts › a start with a full disk fails with one line, and works once there is space',
  logChecked: 'server/office/acts/acts.test.ts › the audit finds changes to the audit log made in the database',
  mailAuthority:
    'server/platform/outbox/encryption.test.ts › the login is sent encrypted to a mail server with a certificate by a configured authority',
  mailFiles:
    'server/platform/outbox/mail-transport.test.ts › without a mail server, e-mails are written as complete files, and a retry replaces its file',
  mailLate:
    'server/platform/outbox/sender-faults.test.ts › a mail server that responds long after the final dot gets one copy',
  mailListed:
    'server/commands/mails.test.ts › the operator counts waiting e-mails, lists abandoned ones and sends them again',
  mailOnce: 'server/platform/outbox/mail-transport.test.ts › two servers share an outbox without duplicates',
  mailRejected:
    'server/platform/outbox/mail-transport.test.ts › a rejected e-mail does not block others; it is retried after a temporary rejection but not after a permanent one',
  mailSecret:
    'server/features/accounts/mail-secret-service.test.ts › an e-mailed password is stored neither in the database nor in its write-ahead log',
  mailTls: 'server/platform/outbox/encryption.test.ts › the login is not sent to a mail server without encryption',
  mailUnanswered:
    'server/platform/outbox/sender-faults.test.ts › a mail server that %s after the final dot gets five copies at growing intervals, then the e-mail is given up',
  mailUrgent:
    'server/platform/outbox/sender-faults.test.ts › a password is sent immediately even behind hundreds of other e-mails',
  mailWaits:
    'server/platform/outbox/mail-transport.test.ts › e-mails wait for an unreachable mail server, however long',
  moveRaced:
    'server/operations/backup/move.test.ts › a portal that starts during a move acknowledges nothing that the copy lacks',
  moved:
    'server/operations/backup/move.test.ts › a stopped portal is moved completely, a running one is rejected, and the old database remains fenced',
  networkSilent:
    'server/test/database-faults.test.ts › an unresponsive network: 503 within three seconds, health within one, and automatic recovery',
  outgoingHeld: 'server/operations/backup/restore.test.ts › a restored copy sends no messages until it is released',
  poolSession:
    'tools/neighbours/pooler.test.ts › session mode: the portal serves, and an undone move reopens the old database',
  poolTooSmall: 'tools/neighbours/pooler.test.ts › a pool that is too small is named at the start',
  restoreKilled:
    'server/operations/backup/restore.test.ts › an interrupted restore prevents the next start, and another restore repairs it',
  restoreOlder:
    'server/operations/backup/backup.test.ts › a backup of an older version is restored and migrated to the current schema',
  restoreWhole:
    'server/operations/backup/backup.test.ts › a restored backup has the same rows, continues the sequences and ends all sessions',
  standbyAway:
    'server/test/standby-away.test.ts › without the synchronous standby, nothing is acknowledged, each call is rejected within 8 s, and is performed once when repeated later (%s processes)',
  totalLoss:
    'server/operations/backup/total-loss.test.ts › the page for a total loss leads from the folder of the backups to the same portal',
}
/** Pages of which each paragraph, list item and row names its tests, or is marked as information. */
const MANUAL_PAGES = ['backup', 'database', 'mail']

/** Cells in all rows of tables with a column `alarm`. */
const rows = page
  .split(/\n{2,}/)
  .filter(part => /^\|.*\| alarm \|$/m.test(part))
  .flatMap(table =>
    table
      .split('\n')
      .filter(line => line.startsWith('| '))
      .slice(1),
  )
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')))

/** `[words](path) "title of a test"` */
const proofsIn = (text: string) =>
  [...text.matchAll(/\]\((\S+\.test\.tsx?)\) "([^"]+)"/g)].map(([, path = '', title = '']) => ({ path, title }))

test('each promise names a test and an alarm', () => {
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    expect(proofsIn(row.at(-2) ?? ''), row[0]).not.toEqual([])
    expect(row.at(-1), row[0]).toMatch(/^(?:`\w+`(?:, `\w+`)*|none: \S.*)$/)
  }
})

test('each named test and alarm exists', () => {
  for (const { path, title } of proofsIn(page)) {
    const source = readFileSync(join(dirname(file), path), 'utf8')
    expect(source.includes(`'${title}'`), `${path}: ${title}`).toBe(true)
  }
  const named = [...page.matchAll(/`(Portal\w+)`/g)].map(([, alarm]) => alarm)
  for (const alarm of named) expect(alerts).toContain(`- alert: ${alarm}\n`)
})

test.each(MANUAL_PAGES)('each statement of the manual on %s names its tests or is information', name => {
  const manual = readFile(join(dirname(file), `operation/${name}.md`))
  const statements = manual.split('\n').filter(line => line !== '' && !/^#|^\|-|^\| failure \|/.test(line))
  expect(statements.length).toBeGreaterThan(5)
  for (const statement of statements) {
    const [, tested] =
      /<!-- (?:tested: ([\w, ]+)|information) -->/.exec(statement) ?? expect.fail(`unmarked: ${statement}`)
    for (const test of tested?.split(', ') ?? []) expect(Object.keys(MANUAL_TESTS), statement).toContain(test)
  }
})

test('each test named by the manual exists, and is named there', () => {
  const manual = MANUAL_PAGES.map(name => readFile(join(dirname(file), `operation/${name}.md`))).join('\n')
  for (const [name, test] of Object.entries(MANUAL_TESTS)) {
    const [path = '', title = ''] = test.split(' › ')
    expect(readFile(join(dirname(file), '..', path)).includes(`'${title}'`), test).toBe(true)
    expect(manual, name).toMatch(new RegExp(`tested: [\\w, ]*\\b${name}\\b`))
  }
})
