import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { authority, certificate, key } from '#server/test/certificate.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { insertMail } from './outbox.ts'

const PASSWORD = 'Post-Geheim-1'
const database = await openTestDatabase()
const { db } = database
const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
const { id: webUserId } = await insertWebUser(db)
const open: (() => Promise<void>)[] = []
beforeEach(async () => {
  await db.execute(sql`delete from mails`)
  await insertMail(db, { webUserId, kind: 'password-reset', payload: {} })
})
afterEach(async () => {
  await stopPortals()
  for (const close of open.splice(0).reverse()) await close()
})
afterAll(() => rm(folder, { recursive: true }))

async function startServer(options: Parameters<typeof startTestMailServer>[0]) {
  const server = await startTestMailServer(options)
  open.push(server.close)
  return server
}
function startSender(smtpUrl: string) {
  const config = { ...readConfig({}), smtpUrl }
  open.push(startMailSender({ db, config, log: pino({ level: 'silent' }) }, { idleMs: 50, troubleMs: 20 }).stop)
}
const urlOf = (port: number) => `smtp://portal:${PASSWORD}@127.0.0.1:${port}`
const hasFailed = () =>
  vi.waitFor(
    async () => expect(await db.one(sql`select last_error <> '' as failed from mails`)).toEqual({ failed: true }),
    10_000,
  )

test('the login is sent encrypted to a mail server with a certificate by a configured authority', async () => {
  const server = await startServer({ encryption: { key, cert: certificate }, password: PASSWORD })
  const trusted = join(folder, 'authority.pem')
  await writeFile(trusted, authority)
  startPortal({ DATABASE_URL: database.url, SMTP_URL: urlOf(server.port), NODE_EXTRA_CA_CERTS: trusted })
  await vi.waitFor(() => expect(server.mails).toMatchObject([{ isEncrypted: true }]), 30_000)
  expect(server.logins).toEqual([PASSWORD])
}, 60_000)

test('a server with an untrusted certificate receives neither login nor e-mails', async () => {
  const server = await startServer({ encryption: { key, cert: certificate }, password: PASSWORD })
  startSender(urlOf(server.port))
  await hasFailed()
  expect([server.logins, server.mails]).toEqual([[], []])
})

test('the login is not sent to a mail server without encryption', async () => {
  const server = await startServer({ password: PASSWORD })
  startSender(urlOf(server.port))
  await hasFailed()
  expect([server.logins, server.mails]).toEqual([[], []])
})

test('without a login, e-mails are sent to a mail server without encryption', async () => {
  const server = await startServer({})
  startSender(server.url)
  await vi.waitFor(() => expect(server.mails).toMatchObject([{ isEncrypted: false }]), 10_000)
})
