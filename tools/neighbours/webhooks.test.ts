import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openWebhookTransport } from '../../server/platform/outbox/webhook-transport.ts'
import { createWebhookSecret } from '../../src/office/frame/model.ts'

const webhookNetworks = new BlockList()
webhookNetworks.addSubnet('127.0.0.0', 8)

test('the Standard Webhooks library verifies calls signed with 200 secrets, and rejects modified ones', async () => {
  const calls: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: await text(request) })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const { deliver } = openWebhookTransport({ webhookNetworks, outgoingProxy: null })
  for (let made = 0; made < 200; made++) {
    // Secrets as the office UI creates them, and as API clients may supply them.
    const secret = made % 2 ? createWebhookSecret() : `whsec_${randomBytes(24 + (made % 41)).toString('base64')}`
    const event = {
      url,
      secret,
      eventId: randomUUID(),
      kind: 'booking.created',
      createdAt: new Date(),
      payload: { courseId: 23 },
    }
    expect(await deliver(event as never, new AbortController().signal, () => undefined)).toMatchObject({
      verdict: 'sent',
    })
    const { headers, body } = calls.at(-1) ?? { headers: {}, body: '' }
    const webhook = new Webhook(secret)
    expect(webhook.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'booking.created' })
    expect(() => webhook.verify(`${body} `, headers as Record<string, string>)).toThrow('No matching signature')
  }
  receiver.close()
})
