import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getHealth } from '#contract/endpoints/system.ts'
import { getToday } from '#contract/office/today.ts'
import type { Right } from '#contract/values.ts'
import { importHrList } from '#server/identity/hr-list-import.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { createToken } from '#server/platform/http/token.ts'
import { dateFromNow, insertWebUser } from '#server/test/factories.ts'
import { insertOfficer, openTestOffice } from '#server/test/office.ts'
import { readAuditAnchor, saveAuditAnchor } from './audit-anchor-service.ts'
import { chainedHash, findLastAuditLogEntry, INITIAL_HASH } from './audit-log-repository.ts'

const { server, ...office } = await openTestOffice(['owner', 'bookings', 'programme'])
const { dataDir } = server.context.config
const anchorFile = join(dataDir, 'record-head')
const readHealth = async () => (await server.request(getHealth)).body

/** Whether *Today* reports the outdated audit anchor to a person with this right. */
async function isReportedTo(right: Right): Promise<boolean> {
  const { token } = await insertOfficer(server, [right])
  return (await server.request(getToday, { token })).body.isAuditAnchorOutdated === true
}

/** Until `mend` is called, the file can be neither read nor replaced, not even by root. */
async function breakAnchor(): Promise<() => Promise<void>> {
  await rm(dataDir, { recursive: true, force: true })
  await writeFile(dataDir, 'no folder')
  return () => rm(dataDir)
}

/** Inserts an audit log entry of some minutes ago. */
async function insertOldLine(minutesAgo: number) {
  const head = await findLastAuditLogEntry(server.db)
  const number = (head?.number ?? 0) + 1
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const line = JSON.stringify({ number, at, kind: 'lock-person', actorId: null, people: [], courses: [], text: null })
  const hash = chainedHash(head ? Buffer.from(head.hash, 'hex') : INITIAL_HASH, line)
  await server.db.execute(sql`insert into office_record (number, line, hash) values (${number}, ${line}, ${hash})`)
  return number
}

test('an audit anchor that cannot be written fails no call, causes a health warning, and is written later', async () => {
  const token = createToken()
  await office.act({ kind: 'create-token', name: 'Verzeichnis', token, scopes: ['people'], expiresOn: dateFromNow(30) })
  expect(await readHealth()).toEqual({ status: 'Ok' })
  const mend = await breakAnchor()

  const person = await insertWebUser(server.db)
  expect(await office.act({ kind: 'lock-person', webUserId: person.id })).toMatchObject({ status: 'Ok' })
  const made = await server.app.request('/api/scim/v2/Users', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ada@firma.example',
      externalId: 'ada',
      active: true,
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: '4711' },
    }),
  })
  expect(made.status).toBe(201)
  expect(await server.request(getHealth)).toMatchObject({
    status: 200,
    body: { status: 'Ok', warnings: ['auditAnchor'] },
  })

  await mend()
  await saveAuditAnchor(server.db, dataDir)
  expect(await readHealth()).toEqual({ status: 'Ok' })
  expect(await readAuditAnchor(dataDir)).toEqual(await findLastAuditLogEntry(server.db))
})

test('an HR list is imported even if the audit anchor cannot be written', async () => {
  const hrFolder = `${dataDir}-hr`
  await mkdir(hrFolder, { recursive: true })
  await writeFile(join(hrFolder, 'eligible.csv'), 'personnelNumber\n4712\n')
  const mend = await breakAnchor()
  const { db, log, config } = server.context
  expect(await importHrList({ db, log, config: { ...config, hrFolder } }, 0)).toBe('taken')
  await mend()
  await rm(hrFolder, { recursive: true })
})

test('an outdated or missing audit anchor causes a warning and a finding', async () => {
  await saveAuditAnchor(server.db, dataDir)
  const anchored = await findLastAuditLogEntry(server.db)
  const findings = async () => {
    const audit = await auditPortal(server.db, await readAuditAnchor(dataDir))
    return audit.findings.filter(finding => /anchor/.test(finding))
  }
  // An entry just written by another server is anchored within the next minute.
  await insertOldLine(0)
  expect([await findings(), await readHealth()]).toEqual([[], { status: 'Ok' }])
  const late = await insertOldLine(10)
  expect(await findings()).toEqual([
    `record: the anchor in DATA_DIR is at line ${anchored?.number}, far behind line ${late}`,
  ])
  expect(await readHealth()).toMatchObject({ warnings: ['auditAnchor'] })
  expect([await isReportedTo('record'), await isReportedTo('owner')]).toEqual([true, true])
  expect([await isReportedTo('bookings'), await isReportedTo('programme')]).toEqual([false, false])
  await rm(anchorFile)
  expect(await findings()).toEqual([`record: no anchor in DATA_DIR, the log ends with line ${late}`])
  await saveAuditAnchor(server.db, dataDir)
  expect([await findings(), await readHealth()]).toEqual([[], { status: 'Ok' }])
  expect(await isReportedTo('record')).toBe(false)
  expect((await stat(anchorFile)).mode & 0o777).toBe(0o600)
})

test('a truncated audit log is not anchored again, however many entries are added', async () => {
  await saveAuditAnchor(server.db, dataDir)
  const anchored = await readAuditAnchor(dataDir)
  await server.db.execute(sql`alter table office_record disable trigger keep_record`)
  await server.db.execute(sql`delete from office_record where number = ${anchored?.number ?? 0}`)
  await server.db.execute(sql`alter table office_record enable trigger keep_record`)
  for (let line = 0; line < 3; line++) await insertOldLine(0)
  await expect(saveAuditAnchor(server.db, dataDir)).rejects.toThrow(
    `line ${anchored?.number} of the audit log is missing`,
  )
  expect(await readAuditAnchor(dataDir)).toEqual(anchored)
  expect(await readHealth()).toMatchObject({ warnings: ['auditAnchor'] })
})
