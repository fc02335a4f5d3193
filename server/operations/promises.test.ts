import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const file = join(import.meta.dirname, '../../docs/promises.md')
const readFile = (path: string) => readFileSync(path, 'utf8')
const page = readFile(file)
const alerts = readFileSync(join(dirname(file), 'operation/alerts.yml'), 'utf8')

/** Tests named by `<!-- tested: NAME, … -->` in the operator's manual, as `file › title`. */
const MANUAL_TESTS: Record<string, string> = {
  accountDeleted:
    'server/features/accounts/deletion.test.ts › past courses keep attendance without a name, and paid ones a billing record',
  alarmsFire:
    'tools/neighbours/prometheus.test.ts › fires $alert for its fault, clears it afterwards, and never fires it for a healthy portal',
  anchorStale:
    'server/office/frame/audit-anchor.test.ts › an audit anchor that cannot be written fails no call, causes a health warning, and is written later',
  appBuilt:
    'server/first-view/app-build.test.ts › builds once with compressed files, and again only if a source has changed',
  audited: 'server/operations/audit/audit.test.ts › the audit finds: $what',
  auditPrinted:
    'server/commands/audit.test.ts › prints one line if there are no findings, otherwise one per finding, and the usage',
  backupConsistent:
    'server/operations/backup/backup.test.ts › a backup contains concurrent transactions completely or not at all',
  backupKept:
    'server/operations/backup/backup.test.ts › a file is never overwritten, and --keep retains the newest files in a folder',
  backupSigned:
    'server/operations/backup/restore.test.ts › a modified or unsigned backup is restored only with the operator’s consent',
  bodySlow:
    'server/platform/http/listen.test.ts › a body slower than the minimum rate is refused, a steady one takes as long as it needs',
  clusterUpgraded:
    'server/platform/postgres/upgrade.test.ts › the start upgrades a database of an older PostgreSQL, whichever process is killed, and keeps the old one',
  courseLocked: 'server/test/database-faults.test.ts › one locked course does not block others',
  cspReported: 'server/features/system/routes.test.ts › %s is logged as %s',
  databaseAwaited:
    'server/main.test.ts › a database that is not there yet is reported and awaited; a stop ends the wait',
  databaseAway: 'server/test/database-faults.test.ts › a database that responds with "%s" is unavailable and recovers',
  databaseReadOnly:
    'server/test/database-faults.test.ts › a read-only database is unavailable, and its successor at the same address is used',
  dataDirClosed:
    'server/platform/postgres/embedded.test.ts › DATA_DIR is restricted to its owner unless it has other content',
  deletedAgain:
    'server/operations/backup/restore.test.ts › account ids are never reused, so a deleted account stays deleted after two restores',
  deletedListed:
    'server/operations/schedule.test.ts › a deleted account is in the list of DATA_DIR within a minute, by number and time alone',
  deletedSooner:
    'server/operations/retention.test.ts › data that outlives an account deleted by its owner is deleted after ten years, not after two weeks',
  demoForced:
    'server/features/programme/demo-accounts.test.ts › importing other people disables them immediately unless DEMO=on',
  demoLocked:
    'server/features/programme/demo-accounts.test.ts › disabled accounts stay without password and permissions, even if they are unlocked or imported again',
  demoPublic:
    'server/features/programme/demo-accounts.test.ts › with a public URL, the demo accounts are disabled with one message, and their sessions end',
  demoRemoved:
    'server/features/programme/demo-accounts.test.ts › the command deletes them, promotes people from the waiting lists, and leaves a consistent database',
  diskFull:
    'server/platform/db/write-check.test.ts › a full disk: health is 503 while bookings are rejected, and recovers afterwards',
  diskFullStart:
    'server/test/full-disk.test.ts › a start with a full disk fails with one line, and works once there is space',
  documentsSameName:
    'server/features/programme/same-names.test.ts › two people whose documents have the same name, imported separately, each get their own',
  documentLast: 'server/features/inbox/routes.test.ts › a document is deleted with the last message that refers to it',
  documentsShared:
    'server/features/programme/same-names.test.ts › a folder that would give a person someone else’s document is rejected with both names',
  documentsUnchanged:
    'server/features/programme/files.test.ts › referenced pictures and documents are stored by kind, photos with thumbnails',
  embedded:
    'server/features/feeds/routes.test.ts › the embedded list can be framed only by configured origins, has no scripts or cookies, and escapes text',
  forwarded: 'server/platform/http/address.test.ts › the client is the first untrusted hop from the right',
  forwardedOne: 'server/platform/http/address.test.ts › only the header set by the proxy is read',
  forwardedUntrusted: 'server/platform/http/address.test.ts › an untrusted proxy is logged once a minute',
  groupsOmitted:
    'server/identity/oidc/rules.test.ts › groups omitted by Entra ID are treated as none and reported; app roles are read from the token',
  health: 'server/features/system/routes.test.ts › health is 503 if the database does not respond',
  healthReady: 'server/features/system/routes.test.ts › a portal is ready only with the schema of its version',
  hrInvalid: 'server/identity/hr-list-import.test.ts › an invalid list changes nothing and reports why (%#)',
  hrReplaced:
    'server/identity/hr-list-import.test.ts › a list replaces the previous one, and people no longer on it become unverified',
  hrTruncated: 'server/identity/hr-list-import.test.ts › a list that lacks most people is rejected as truncated',
  hrWorkbook:
    'server/identity/hr-list-import.test.ts › a workbook is imported like the CSV file, and problems name the sheet',
  hsts: 'server/platform/http/security-headers.test.ts › HSTS is sent only if clients reach the portal over HTTPS',
  importAgain: 'server/features/programme/import-programme.test.ts › importing the same folder again changes nothing',
  importDry: 'server/features/programme/import-programme.test.ts › a dry run validates and reports but changes nothing',
  importMistakes:
    'server/features/programme/import-programme.test.ts › twelve different mistakes result in twelve lines and exit status 1, and nothing is changed',
  importPruned:
    'server/features/programme/import-programme.test.ts › only --prune removes courses missing from the folder, and never one that was ever booked',
  importUsage: 'server/commands/import.test.ts › %s: one line and exit status 2',
  killedRestarted: 'server/main.test.ts › a portal that was killed serves again after a restart',
  lessonSkipped: 'server/features/programme/schedule.test.ts › a lesson in the skipped hour is reported with its row',
  logChecked: 'server/office/acts/acts.test.ts › the audit finds changes to the audit log made in the database',
  logFailures:
    'server/features/session/guesses.test.ts › the log reports failures, limits and a rising rate, without names of people',
  loginConflict:
    'server/identity/oidc/login.test.ts › opens no session, changes nothing, and is listed on Today until the office resolves it',
  loginNumber: 'server/identity/oidc/login.test.ts › a login without a personnel number is rejected',
  loginProviderDown:
    'server/identity/oidc/login.test.ts › if the provider is down, the portal says so and passwords still work',
  loginRights: 'server/identity/oidc/login.test.ts › rights from claims expire, and rights granted by an owner remain',
  logoutAtProvider:
    'server/identity/oidc/back-channel.test.ts › a logout at the provider ends the session that it opened, and no other',
  logPrivate: 'server/platform/http/responses.test.ts › requests are logged and counted by route, without secrets',
  logRepeated:
    'server/platform/observability/log.test.ts › a repeated error is logged once, then every five seconds with its number',
  logTerminal:
    'server/platform/observability/log.test.ts › a terminal shows readable lines without control characters, a pipe JSON',
  mailAuthority:
    'server/platform/outbox/encryption.test.ts › the login is sent encrypted to a mail server with a certificate by a configured authority',
  mailBounces: 'server/platform/outbox/mail-transport.test.ts › an e-mail is sent once, as text and HTML',
  mailFiles:
    'server/platform/outbox/mail-transport.test.ts › without a mail server, e-mails are written as complete files, and a retry replaces its file',
  mailFilesDeleted:
    'server/platform/outbox/mail-folder.test.ts › an e-mail file is deleted with its row and an abandoned draft after an hour, and nothing else',
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
  mailUnsubscribe:
    'server/features/reminders/unsubscribe.test.ts › the link of %s ends these e-mails without a login, and nothing else',
  mailUrgent:
    'server/platform/outbox/sender-faults.test.ts › a password is sent immediately even behind hundreds of other e-mails',
  mailWaits:
    'server/platform/outbox/mail-transport.test.ts › e-mails wait for an unreachable mail server, however long',
  mappingInvalid:
    'server/platform/config/config.test.ts › the company login requires issuer, client and a valid mapping, and reads secrets from files',
  metrics: 'server/operations/metrics.test.ts › with %s processes, the metrics cover calls, people and the database',
  moved:
    'server/operations/backup/move.test.ts › a stopped portal is moved completely, a running one is rejected, and the old database remains fenced',
  moveRaced:
    'server/operations/backup/move.test.ts › a portal that starts during a move acknowledges nothing that the copy lacks',
  networkSilent:
    'server/test/database-faults.test.ts › an unresponsive network: 503 within three seconds, health within one, and automatic recovery',
  noSuperuser:
    'server/platform/postgres/embedded.test.ts › the portal is no superuser, and owns what an older version created as superuser',
  openActive:
    'server/features/feeds/routes.test.ts › the OpenActive feed has a last page, then reports changed and deleted courses',
  openingSkipped:
    'server/features/programme/schedule.test.ts › an opening in the skipped hour is shifted by an hour, and one in the repeated hour is the second',
  outgoingDirect: 'server/test/outgoing-proxy.test.ts › WEBHOOK_NETWORKS and hosts in NO_PROXY are called directly',
  outgoingHeld: 'server/operations/backup/restore.test.ts › a restored copy sends no messages until it is released',
  outgoingPrivate:
    'server/test/outgoing-proxy.test.ts › behind the proxy, private addresses are called neither by webhooks nor by pushes',
  outgoingProxy:
    'server/test/outgoing-proxy.test.ts › webhooks, pushes and the company login use the proxy with its credentials',
  outgoingRefused: 'server/test/outgoing-proxy.test.ts › a proxy that refuses or is away is named as the reason',
  personDeleted:
    'server/features/accounts/deletion.test.ts › deleting an account without bookings leaves only its last e-mail',
  pictureLast: 'server/features/files/pictures.test.ts › variants of a deleted picture are deleted',
  pictureReplaced:
    'server/features/programme/same-names.test.ts › a picture is replaced if the same row references it, but not if another row does',
  pictureStripped:
    'server/features/files/picture-variants.test.ts › %s loses its location and author, and its orientation is applied',
  pipelined: 'server/platform/http/connections.test.ts › too many pipelined requests end the connection',
  poolSession:
    'tools/neighbours/pooler.test.ts › session mode: the portal serves, and an undone move reopens the old database',
  poolTooSmall: 'tools/neighbours/pooler.test.ts › a pool that is too small is named at the start',
  portTaken: 'server/main.test.ts › a port in use is reported, and the database is closed again',
  processHangs:
    'server/platform/runtime/hung-processes.test.ts › a hung worker (%s) is killed and replaced, no call waits longer, and counters continue',
  processKilled:
    'server/platform/runtime/processes.test.ts › killing one of two processes during bookings: every caller gets a response, nothing acknowledged is lost, and it is replaced',
  processMain:
    'server/platform/runtime/hung-processes.test.ts › a hung primary process: calls get 503 within seconds, all processes end, and the next start gets port and data',
  proxyRefusal:
    'tools/neighbours/proxies.test.ts › refused writes cost nobody a page, and the person gets the portal’s own answer',
  proxySecrets:
    'tools/neighbours/proxies.test.ts › the request id of the proxy is in the portal’s log, and secrets are in no log',
  publicCalendar:
    'server/features/feeds/routes.test.ts › a public calendar has the language of the request or of the address, and caches keep them apart',
  publicProgramme:
    'server/features/feeds/routes.test.ts › the public programme allows any origin and contains visible courses without names or cookies',
  publicUrl:
    'server/features/system/routes.test.ts › signed-in calls from an origin other than PUBLIC_URL cause a warning in health, in the office and, once, in the log',
  readersStalled:
    'server/platform/http/connections.test.ts › too many unread bytes: 503 with Retry-After, and stalled readers are disconnected',
  releaseSigned:
    'tools/neighbours/release.test.ts › minisign verifies the signature of a release, and rejects a modified one',
  releaseStarts:
    'scripts/release.test.ts › an unpacked release starts without npm, Node, sources or a build, and shows the programme',
  releaseTagged: 'scripts/release.test.ts › a version whose tag names another commit is not released again',
  releaseWhole:
    'scripts/release.test.ts › a release is complete, with checksums and licences, but without app sources, tests and build tools',
  reportMailOnce:
    'server/operations/office-report.test.ts › each period has one e-mail per person, also with several servers, and missed ones follow for two days',
  reportMailRights:
    'server/operations/office-report.test.ts › the rights at the time of sending decide what an e-mail contains, and whether it is sent',
  requestId:
    'server/platform/http/request-log.test.ts › a proxy’s request id is used in the log and in the error message',
  restoreKilled:
    'server/operations/backup/restore.test.ts › an interrupted restore prevents the next start, and another restore repairs it',
  restoreOlder:
    'server/operations/backup/backup.test.ts › a backup of an older version is restored and migrated to the current schema',
  restoreWhole:
    'server/operations/backup/backup.test.ts › a restored backup has the same rows, continues the sequences and ends all sessions',
  retentionHourly: 'server/operations/retention-map.test.ts › no data outlives its retention period',
  retentionRun:
    'server/commands/retention.test.ts › a dry run lists what would be deleted, a run deletes it, and another one finds nothing',
  rootPort:
    'server/platform/runtime/drop-privileges.test.ts › on a port below 1024, a portal that dropped root ends when all workers are lost',
  rootDropped:
    'server/platform/runtime/drop-privileges.test.ts › a portal started as root serves as the account of its database, %s',
  rootExternal:
    'server/platform/runtime/drop-privileges.test.ts › stays root with an external database, and reports it',
  rootForeign:
    'server/platform/runtime/drop-privileges.test.ts › stays root and reports why if the account lacks access',
  rootNamespace: 'server/platform/postgres/embedded-errors.test.ts › as root in a folder that is closed to other users',
  scimAccess: 'server/identity/scim/scim.test.ts › only service tokens with the people scope have access',
  scimFound: 'server/identity/scim/scim.test.ts › people are found by name, and lists are paginated',
  scimKept: 'server/identity/scim/scim.test.ts › an uploaded HR list does not remove people provisioned by SCIM',
  scimLimited:
    'server/identity/scim/scim.test.ts › a directory can remove at most half of the people per day, and more raises an alarm',
  scimStored:
    'server/identity/scim/scim.test.ts › a provisioned person is on the HR list, and only required attributes are stored',
  secondPortal: 'server/main.test.ts › a second portal on the same DATA_DIR reports the first one',
  settingInvalid:
    'server/platform/config/config.test.ts › %s=%s prevents the start with one line that names the setting',
  shutDown: 'server/main.test.ts › accepts requests when its URL is printed, and shuts down cleanly',
  shutDownLimit: 'server/platform/http/listen.test.ts › a stop waits at most for the given time',
  shutDownRequests: 'server/platform/http/listen.test.ts › a stop completes pending responses, then closes connections',
  shutDownTwice: 'server/main.test.ts › a second signal ends a stop that waits for a request',
  silentClosed: 'server/platform/http/connections.test.ts › stalled readers and silent connections are closed',
  slowHeaders: 'server/platform/http/connections.test.ts › slow headers get 408, and the connection is closed',
  standbyAway:
    'server/test/standby-away.test.ts › without the synchronous standby, nothing is acknowledged, each call is rejected within 8 s, and is performed once when repeated later (%s processes)',
  terminalClosed: 'server/main.test.ts › a portal in a terminal shuts down cleanly when the terminal is closed',
  tokenNumbers:
    'server/office/frame/effects.test.ts › a service token reads health insurance numbers only with the scope for them',
  tokenProtected: 'server/office/frame/effects.test.ts › cannot perform: %j',
  tokenScopes: 'server/office/connections/tokens.test.ts › a token grants exactly what its scopes permit',
  tokenSeen: 'server/office/connections/tokens.test.ts › people can see that an API client read their data',
  totalLoss:
    'server/operations/backup/total-loss.test.ts › the page for a total loss leads from the folder of the backups to the same portal',
  traces:
    'server/platform/observability/traces.test.ts › with %s processes, calls, statements, e-mails and jobs are spans without personal data',
  tracesAway:
    'server/platform/observability/traces.test.ts › an unreachable collector blocks neither calls nor the shutdown',
  upgradeSigned: 'server/operations/upgrade/upgrade.test.ts › %s: nothing is touched',
  webhookLogged:
    'server/platform/outbox/webhook-transport.test.ts › a receiver that was down for an hour gets every event once, in order per booking',
  webhookSigned:
    'tools/neighbours/webhooks.test.ts › the Standard Webhooks library verifies calls signed with 200 secrets, and rejects modified ones',
  wellKnown:
    'server/features/system/routes.test.ts › well-known URLs lead to the change of password and the security contact',
}
/** Pages of which each paragraph, list item and row names its tests, or is marked as information. */
const MANUAL_PAGES = ['backup', 'data', 'database', 'login', 'mail', 'monitoring', 'programs', 'proxies', 'running']

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
  const lines = manual.replaceAll(/^```[\s\S]*?^```$/gm, '').split('\n')
  const isStatement = (line: string, index: number) =>
    line !== '' && !/^#|^\|-/.test(line) && !lines[index + 1]?.startsWith('|-')
  const statements = lines.filter(isStatement)
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
