import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { confirmAccount, editWebUser } from '#contract/endpoints/accounts.ts'
import { changePassword, login, resetPassword } from '#contract/endpoints/session.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { insertSession, insertWebUser } from '#server/test/factories.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
  await db.execute(sql`delete from mails`)
})
afterAll(() => rm(dataDir, { recursive: true }))

async function startMailServer() {
  const mailServer = await startTestMailServer()
  open.push(mailServer.close)
  return mailServer
}
/** Sends waiting e-mails with a sender that has no cached secrets. */
async function sendAll(smtpUrl: string) {
  const config = { ...readConfig({}), smtpUrl, dataDir, publicUrl: 'https://sport.example' }
  const sender = startMailSender({ db, config, log: pino({ level: 'silent' }) }, { idleMs: 50, troubleMs: 20 })
  await vi
    .waitFor(async () => expect(await db.query(sql`select id from mails where sent_at is null`)).toEqual([]), 10_000)
    .finally(sender.stop)
}
/** Simulates a crash between the mail server's response and its record. */
const forgetThatTheyAreSent = () => db.execute(sql`update mails set sent_at = null, due_at = clock_timestamp()`)

const passwordIn = (source = '') => /\b[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/.exec(source)?.[0] ?? ''
const tokenIn = (source = '') => /\/activate\/([\w-]+)/.exec(source.replace(/=\r\n/g, ''))?.[1] ?? ''

/** Lists the files of the write-ahead log that contain a text. */
const findInWal = async (text: string) => {
  await db.query(sql`select pg_switch_wal()`)
  return db.query(sql`
    select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'
      and position(convert_to(${text}, 'UTF8') in pg_read_binary_file('pg_wal/' || name, 0, 16777216, true)) > 0`)
}

test('an e-mailed password is stored neither in the database nor in its write-ahead log', async () => {
  const mailServer = await startMailServer()
  let isAddressFound = false
  // All tests share the log, and another test may just have ended a segment.
  for (let round = 0; round < 5 && !isAddressFound; round += 1) {
    const { email } = await insertWebUser(db)
    await server.request(resetPassword, { body: { userName: email } })
    await sendAll(mailServer.url)
    const password = passwordIn(mailServer.mails.at(-1)?.source)
    expect(password).toHaveLength(19)
    isAddressFound = (await findInWal(email)).length > 0
    expect(await findInWal(password)).toEqual([])
    expect((await server.request(login, { body: { userName: email, password } })).body.status).toBe('Ok')
  }
  expect(isAddressFound).toBe(true)
  expect(await db.query(sql`select distinct payload from mails`)).toEqual([{ payload: {} }])
})

test('after a crash, the secrets in both copies of an e-mail work', async () => {
  const mailServer = await startMailServer()
  const sendTwice = async () => {
    await sendAll(mailServer.url)
    await forgetThatTheyAreSent()
    await sendAll(mailServer.url)
    const copies = mailServer.mails.splice(0)
    expect(copies).toHaveLength(2)
    expect(copies[0]?.messageId).toBe(copies[1]?.messageId)
    return copies.map(({ source }) => source)
  }
  for (const copy of [0, 1]) {
    const { id, email } = await insertWebUser(db)
    await insertMail(db, { webUserId: id, kind: 'password-reset', payload: {} })
    const password = passwordIn((await sendTwice())[copy])
    expect((await server.request(login, { body: { userName: email, password } })).body.status).toBe('Ok')
    expect((await server.request(login, { body: { userName: email, password } })).body.status).toBe('WrongPWorUser')
    await db.execute(sql`delete from mails`)
  }
  const { id } = await insertWebUser(db, { confirmedAt: null })
  await insertMail(db, { webUserId: id, kind: 'activation', payload: {} })
  const tokens = (await sendTwice()).map(tokenIn)
  expect(new Set(tokens).size).toBe(2)
  for (const token of tokens) {
    expect((await server.request(confirmAccount, { body: { token } })).body.status).toBe('Ok')
  }
})

test('an unsent link is revoked together with those that were sent', async () => {
  const { id, email } = await insertWebUser(db)
  const token = await insertSession(db, id)
  const edit = (newEmail: string) =>
    server.request(editWebUser, {
      token,
      body: { ...completeInput(2, 3), password: '', confirmPassword: '', email: newEmail } as never,
    })
  expect((await edit(`eins.${email}`)).body.status).toBe('Ok')
  await db.execute(sql`delete from throttle_events`)
  expect((await edit(`zwei.${email}`)).body.status).toBe('Ok')
  const password = 'Blauer.Elefant9'
  const waiting = () =>
    db.query(sql`select recipient from mails where kind = 'new-email' and sent_at is null order by id`)
  expect(await waiting()).toEqual([{ recipient: `zwei.${email}` }])
  expect(
    (await server.request(changePassword, { token, body: { password, confirmPassword: password } })).body,
  ).toMatchObject({ changed: true })
  expect(await waiting()).toEqual([])
})

test('a deleted person receives no e-mail with a secret', async () => {
  const { id } = await insertWebUser(db)
  await insertMail(db, { webUserId: id, kind: 'welcome-import', payload: {} })
  await db.execute(sql`delete from web_users where id = ${id}`)
  expect(await sendMails(db)).toEqual([])
})
