import { createECDH, randomBytes } from 'node:crypto'
import type * as dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, BlockList, connect } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import webPush from 'web-push'
import { createOidcProvider } from '#server/identity/oidc/provider-service.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { enableOutgoingProxy } from '#server/platform/http/outgoing-proxy.ts'
import { openPushTransport } from '#server/platform/outbox/push-transport.ts'
import { openWebhookTransport } from '#server/platform/outbox/webhook-transport.ts'
import { authority, certificate, key } from './certificate.ts'

/** Address to which the name of the receiver is resolved; the proxy leads every address to the receiver. */
let resolved = '9.9.9.9'
vi.mock('node:dns', async original => ({
  ...(await original<typeof dns>()),
  lookup: (_: string, { all }: dns.LookupOptions, found: (error: null, ...rest: unknown[]) => void) =>
    all ? found(null, [{ address: resolved, family: 4 }]) : found(null, resolved, 4),
}))

const called: string[] = []
const receiver = createSecureServer({ cert: certificate, key }, (request, response) => {
  called.push(`${request.method} ${request.headers.host}${request.url}`)
  response.setHeader('Content-Type', 'application/json').end(
    JSON.stringify({
      issuer: origin(),
      authorization_endpoint: `${origin()}/authorize`,
      token_endpoint: `${origin()}/token`,
    }),
  )
})
const portOf = (server: Server | typeof receiver) => (server.address() as AddressInfo).port
const origin = () => `https://localhost:${portOf(receiver)}`

const tunnels: string[] = []
const credentials = new Set<string | undefined>()
let refusal: string | null = null
const proxy = createServer().on('connect', (request, client, head) => {
  tunnels.push(request.url ?? '')
  credentials.add(request.headers['proxy-authorization'])
  if (refusal) return void client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`)
  const server = connect(portOf(receiver), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    server.write(head)
    server.pipe(client).pipe(server)
  })
  for (const socket of [client, server]) socket.on('error', () => client.destroy())
})

const trusted = getCACertificates()
beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority])
  for (const server of [receiver, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  setDefaultCACertificates(trusted)
  for (const server of [receiver, proxy]) {
    server.closeAllConnections()
    server.close()
  }
})
const opened: (() => unknown)[] = []
beforeEach(() => {
  called.length = 0
  tunnels.length = 0
  refusal = null
  resolved = '9.9.9.9'
})
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

const configOf = (settings: Record<string, string> = {}) =>
  readConfig({
    HTTPS_PROXY: `http://portal:geheim@127.0.0.1:${portOf(proxy)}`,
    PUBLIC_URL: 'https://sport.example.com',
    ...settings,
  })

function callWebhook(config = configOf(), url = `${origin()}/hook`) {
  const webhook = openWebhookTransport(config)
  opened.push(webhook.close)
  const event = {
    url,
    secret: 'whsec_AAAA',
    eventId: 'event',
    kind: 'booking.created',
    createdAt: new Date(),
    payload: {},
  }
  return webhook.deliver(event as never, AbortSignal.timeout(20_000), () => undefined)
}

function sendPush(config = configOf()) {
  const push = openPushTransport(config, async () => webPush.generateVAPIDKeys())
  opened.push(push.close)
  const pair = createECDH('prime256v1')
  const to = { endpoint: 'https://push.example.com/abc', p256dh: pair.generateKeys('base64url') }
  const auth = randomBytes(16).toString('base64url')
  const words = { title: 'Termin fällt aus: Yoga', paragraphs: [], event: 'Termin fällt aus' }
  const payload = { path: '/home', de: words, en: words }
  const message = { ...to, auth, ttlS: 60, kind: 'changes', payload, language: 'de', alertId: 1 }
  return push.deliver(message as never, AbortSignal.timeout(20_000), () => undefined)
}

function logIn(config = configOf()) {
  opened.push(enableOutgoingProxy(config))
  const mapping = { scope: 'openid' } as never
  return createOidcProvider(
    { issuer: origin(), clientId: 'portal', clientSecret: null, mapping },
    'https://sport.example.com/api/session/company/return',
    config.outgoingProxy,
  ).start()
}

test('webhooks, pushes and the company login use the proxy with its credentials', async () => {
  expect(await callWebhook()).toEqual({ verdict: 'sent', status: 200 })
  expect(called).toEqual([`POST localhost:${portOf(receiver)}/hook`])
  // The proxy connects to the address that was checked, so that it cannot resolve the name to another one.
  expect(tunnels).toEqual([`9.9.9.9:${portOf(receiver)}`])
  // The receiver's certificate is not that of push.example.com: the proxy does not weaken the check of TLS.
  expect(await sendPush()).toMatchObject({ verdict: 'later', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  expect(tunnels[1]).toBe('9.9.9.9:443')
  expect((await logIn()).url.href).toContain(`${origin()}/authorize`)
  expect(tunnels[2]).toBe(`localhost:${portOf(receiver)}`)
  expect([...credentials]).toEqual([`Basic ${Buffer.from('portal:geheim').toString('base64')}`])
})

test('behind the proxy, private addresses are called neither by webhooks nor by pushes', async () => {
  for (resolved of ['127.0.0.1', '10.1.2.3', '169.254.169.254']) {
    expect(await callWebhook()).toMatchObject({ verdict: 'later', reason: 'not an address to call' })
    expect(await sendPush()).toMatchObject({ verdict: 'later', reason: 'not an address to call' })
  }
  expect(await callWebhook(configOf(), `https://10.1.2.3/hook`)).toMatchObject({ reason: 'not an address to call' })
  expect([tunnels, called]).toEqual([[], []])
})

test('WEBHOOK_NETWORKS and hosts in NO_PROXY are called directly', async () => {
  resolved = '127.0.0.1'
  expect(await callWebhook(configOf({ WEBHOOK_NETWORKS: '127.0.0.0/8' }))).toMatchObject({ verdict: 'sent' })
  const direct = configOf({ NO_PROXY: 'localhost, .intern.example.com' })
  expect((await logIn(direct)).url.href).toContain(origin())
  expect(await callWebhook(direct)).toMatchObject({ reason: 'not an address to call' })
  expect(tunnels).toEqual([])
})

test('without the setting, a proxy of the environment is not used by webhooks', async () => {
  opened.push(enableOutgoingProxy(configOf()))
  resolved = '127.0.0.1'
  const networks = new BlockList()
  networks.addSubnet('127.0.0.0', 8)
  const config = { ...configOf(), outgoingProxy: null, webhookNetworks: networks }
  expect(await callWebhook(config)).toMatchObject({ verdict: 'sent' })
  expect(tunnels).toEqual([])
})

test('a proxy that refuses or is away is named as the reason', async () => {
  refusal = '407 Proxy Authentication Required'
  const refused = { verdict: 'later', reason: 'HTTPS_PROXY refuses the connection: 407' }
  expect([await callWebhook(), await sendPush()]).toMatchObject([refused, refused])
  await expect(logIn()).rejects.toThrow('the provider of the company login does not answer through HTTPS_PROXY')
  for (const close of opened.splice(0)) close()
  const away = configOf({ HTTPS_PROXY: 'http://127.0.0.1:1' })
  const absent = { verdict: 'later', reason: 'HTTPS_PROXY does not answer: ECONNREFUSED' }
  expect([await callWebhook(away), await sendPush(away)]).toMatchObject([absent, absent])
})
