import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { runCommand } from '#server/test/command.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { daysFromNow, insertWebUser } from '#server/test/factories.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'

const database = await openTestDatabase()
const { db } = database

const mails = (...words: string[]) => runCommand(['mails', ...words], { DATABASE_URL: database.url })

test('the operator counts waiting e-mails, lists abandoned ones and sends them again', async () => {
  const person = await insertWebUser(db)
  let answer: { code: number; text: string } | null = { code: 550, text: 'no such\r\n user' }
  const server = await startTestMailServer({ refuse: () => answer })
  const config = { ...readConfig({}), smtpUrl: server.url }
  const sender = startMailSender({ db, config, log: pino({ level: 'silent' }) }, { idleMs: 50, troubleMs: 20 })
  const states = () =>
    db.query(sql`select id, sent_at is not null as sent, due_at = 'infinity' as "givenUp" from mails order by id`)

  await insertMail(db, { webUserId: person.id, kind: 'password-reset', payload: {} })
  await insertMail(db, { webUserId: person.id, kind: 'account-deleted', payload: { isBillingKept: false } })
  const givenUp = (id: number) => ({ id, sent: false, givenUp: true })
  await vi.waitFor(async () => expect(await states()).toEqual([givenUp(1), givenUp(2)]), 10_000)
  expect(await mails()).toEqual({
    status: 0,
    stderr: '',
    stdout: 'Waiting: 0, 0 of them urgent\nGiven up: 2\n',
  })
  const list = await mails('--given-up')
  expect(list.stdout.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^1  \\S+Z  password-reset  ${person.email}  .*550 no such user$`)),
    expect.stringMatching(/^2 {2}\S+Z {2}account-deleted /),
    '',
  ])

  // Long after the five-day retry period, a temporary rejection does not abandon the e-mail immediately.
  await db.execute(sql`update mails set created_at = ${daysFromNow(-30)}`)
  answer = { code: 450, text: 'greylisted' }
  expect(await mails('--send-again', '2')).toEqual({ status: 0, stdout: 'To be sent again: 1\n', stderr: '' })
  sender.wake()
  await vi.waitFor(
    async () => expect(await db.one(sql`select attempts from mails where id = 2`)).toEqual({ attempts: 1 }),
    10_000,
  )
  await vi.waitFor(
    async () =>
      expect(
        await db.one(sql`select last_error like '%450%' as tried, due_at < 'infinity' as due from mails where id = 2`),
      ).toEqual({ tried: true, due: true }),
    10_000,
  )
  answer = null
  await db.execute(sql`update mails set due_at = clock_timestamp() where id = 2`)
  expect(await mails('--send-again')).toEqual({ status: 0, stdout: 'To be sent again: 1\n', stderr: '' })
  await vi.waitFor(() => expect(server.mails).toHaveLength(2), 10_000)
  await sender.stop()
  await server.close()
  expect((await mails('--given-up')).stdout).toBe('No mail is given up.\n')

  for (const args of [['--all'], ['7'], ['--send-again', 'x'], ['--given-up', '--send-again']]) {
    expect(await mails(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Usage: npm run mails/),
    })
  }
}, 120_000)
