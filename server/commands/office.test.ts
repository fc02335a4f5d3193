import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOfficeCourses } from '#contract/office/office.ts'
import { readAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { runCommand } from '#server/test/command.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

let dataDir: string
const server = await openTestServer({ isPasskeyRequired: true })
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'office-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const office = (...words: string[]) =>
  runCommand(['office', ...words], { DATABASE_URL: server.database.url, DATA_DIR: dataDir })
const mailsTo = async (email: string) =>
  (
    await server.db.query<{ kind: string }>(sql`
      select kind from mails m join web_users u on u.id = m.web_user_id where u.email = ${email} order by m.id`)
  ).map(({ kind }) => kind)

test('the first owner is created and listed, cannot be removed, and a lost passkey is revoked immediately', async () => {
  expect(await office('list')).toEqual({ status: 0, stdout: 'Nobody has a right.\n', stderr: '' })
  expect(await office('add', 'erste@example.org', 'owner')).toEqual({
    status: 0,
    stdout: 'Done: add erste@example.org owner\n',
    stderr: '',
  })
  // The account is created without a password. One e-mail contains the password, another the link for the first
  // passkey.
  expect(await mailsTo('erste@example.org')).toEqual(['welcome-import', 'passkey-link'])
  expect((await office('list')).stdout).toBe('erste@example.org  owner  (passkeys: 0)\n')
  expect(await office('remove', 'erste@example.org', 'owner')).toMatchObject({ status: 1, stdout: '' })

  const { id, token, email } = await insertUserWithSession(server.db)
  expect((await office('add', email, 'programme')).status).toBe(0)
  await server.db.execute(sql`
    insert into passkeys (id, web_user_id, public_key, counter, transports, name, is_vouched)
    values ('key', ${id}, '\\x00', 0, '', '', true)`)
  await server.db.execute(
    sql`update sessions set confirmed_at = clock_timestamp(), passkey_at = clock_timestamp() where web_user_id = ${id}`,
  )
  const enter = async () => (await server.request(listOfficeCourses, { token })).status
  expect(await enter()).toBe(200)
  expect(await office('reset-passkeys', email)).toMatchObject({ status: 0, stdout: `Done: reset ${email}\n` })
  expect(await enter()).toBe(403)
  expect((await office('list')).stdout).toContain(`${email}  programme  (passkeys: 0)`)
  expect((await mailsTo(email)).filter(kind => kind === 'passkey-link')).toHaveLength(2)
  expect((await office('remove', email, 'programme')).status).toBe(0)
  expect((await office('list')).stdout).not.toContain(email)

  // All of it is recorded in the audit log, even outside the table.
  const kinds = await server.db.query<{ kind: string }>(sql`select kind from office_record order by 1`)
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(['grant-right', 'grant-right', 'reset-passkeys', 'revoke-right'])
  const head = await readAuditAnchor(dataDir)
  expect(head?.number).toBe(4)
  expect((await auditPortal(server.db, head)).findings).toEqual([])
}, 120_000)

test.each([
  ['add', 'x'],
  ['add', 'a@example.org', 'king'],
  ['list', 'all'],
])(
  'an invalid command line (%j) changes nothing and prints the usage',
  async (...args) => {
    const { status, stderr } = await office(...args)
    expect(status).toBe(2)
    expect(stderr).toContain('Usage: npm run office')
  },
  60_000,
)
