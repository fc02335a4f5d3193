import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'
import pino from 'pino'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { openTestMailTransport } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { insertMail } from './outbox.ts'
import { startSender } from './sender.ts'
import { openWebhookTransport } from './webhook-transport.ts'

const { db } = await openTestDatabase()
const person = await insertWebUser(db)
beforeEach(() => db.execute(sql`truncate outbox, webhooks restart identity cascade`))

/** @param isSilent whether it never responds, like a receiver behind a firewall that drops packets */
async function openReceiver({ isSilent = false } = {}) {
  const calls: string[] = []
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    calls.push(String(request.headers['webhook-id']))
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    if (!isSilent) response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { id } = await db.one<{ id: number }>(sql`
    insert into webhooks (name, url, secret, kinds) values ('receiver', ${url}, 'c2VjcmV0', '{}') returning id`)
  return { id, calls, most: () => most }
}
const insertCalls = (webhookId: number, count: number) =>
  db.execute(sql`
    insert into outbox (channel, kind, webhook_id, event_id, about)
    select 'webhook', 'booking', ${webhookId}, gen_random_uuid(), n::text from generate_series(1, ${count}::int) n`)

test('an unresponsive receiver delays neither e-mails nor calls to other receivers', async () => {
  const [silent, other] = [await openReceiver({ isSilent: true }), await openReceiver()]
  await insertCalls(silent.id, 100)
  const mailServer = await startTestMailServer()
  onTestFinished(mailServer.close)
  const networks = new BlockList()
  networks.addSubnet('127.0.0.0', 8)
  const config = { ...readConfig({}), smtpUrl: mailServer.url, webhookNetworks: networks }
  const log = pino({ level: 'silent' })
  const transports = [openTestMailTransport({ db, config }), openWebhookTransport(config)]
  const sender = startSender({ db, log }, transports, { idleMs: 50 })
  onTestFinished(sender.stop)
  await vi.waitFor(() => expect(silent.calls.length).toBeGreaterThan(0), 5_000)

  const startedAt = performance.now()
  await insertCalls(other.id, 40)
  for (let index = 0; index < 20; index++)
    await insertMail(db, { webUserId: person.id, kind: 'password-changed', payload: {} })
  await vi.waitFor(() => expect([other.calls.length, mailServer.mails.length]).toEqual([40, 20]), 8_000)
  // A call to the unresponsive receiver ends after 10 s.
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  expect(silent.most()).toBe(4)
})
