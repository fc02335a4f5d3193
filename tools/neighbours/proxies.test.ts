import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase, sql } from '../../server/platform/db/client.ts'
import { authority, certificate, key } from '../../server/test/certificate.ts'
import { insertCourse, insertUserWithSession } from '../../server/test/factories.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { type PortalProcess, startPortal, stopPortals } from '../../server/test/portal.ts'
import { hasPostgres, startTestPostgres } from '../../server/test/postgres.ts'
import { isInstalled } from './programs.ts'

/** The shipped site of each proxy, adapted to two portals, free ports and a folder of its own. */
const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    adapt: (site: string, { folder, port, plainPort, portals }: Place) =>
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
${site
  .replace(/^ {2}server 127\.0\.0\.1:8080 (.*)$/m, (_, options) =>
    portals.map(own => `  server ${own} ${options}`).join('\n'),
  )
  .replaceAll(/listen \[::\].*/g, '')
  .replace('listen 80', `listen ${plainPort}`)
  .replace('listen 443', `listen ${port}`)
  .replaceAll(/\/var\/log\/nginx\/portal\.log/g, `${folder}/access.log`)
  .replaceAll('/etc/nginx/tls', folder)}}`,
    args: (config: string) => ['-c', config],
  },
  haproxy: {
    file: 'haproxy.cfg',
    adapt: (site: string, { folder, port, plainPort, portals, syslogPort }: Place) =>
      site
        .replace(/^ {2}server one .*$/m, portals.map((own, index) => `  server portal${index} ${own}`).join('\n'))
        .replace('maxconn 12000', 'maxconn 1000')
        .replace('bind :80', `bind 127.0.0.1:${plainPort}`)
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replace('/dev/log', `127.0.0.1:${syslogPort}`)
        .replaceAll('/etc/haproxy', folder),
    args: (config: string) => ['-db', '-f', config],
  },
  caddy: {
    file: 'Caddyfile',
    adapt: (site: string, { folder, port, plainPort, portals }: Place) =>
      site
        .replace('{\n', `{\n\tadmin off\n\thttp_port ${plainPort}\n`)
        .replace('sport.example.com {', `https://localhost:${port} {\n\ttls ${folder}/portal.crt ${folder}/portal.key`)
        .replace('reverse_proxy 127.0.0.1:8080', `reverse_proxy ${portals.join(' ')}`)
        .replace('/var/log/caddy/portal.log', `${folder}/access.log`),
    args: (config: string) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
} as const

type Place = { folder: string; port: number; plainPort: number; syslogPort: number; portals: string[] }
type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

const canReplicate = await hasPostgres()

describe.skipIf(!canReplicate).each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])('%s before two portals', name => {
  const isThere = isInstalled(name)
  let place: Place
  let postgres: Awaited<ReturnType<typeof startTestPostgres>>
  let db: ReturnType<typeof openDatabase> | undefined
  let proxy: ChildProcess | undefined
  const portals: PortalProcess[] = []
  let person: Awaited<ReturnType<typeof insertUserWithSession>> | null = null
  let courseId: number
  let syslog: Socket
  /** what the proxy has printed or sent to syslog */
  let log = ''

  beforeAll(async () => {
    if (!isThere) return
    postgres = await startTestPostgres()
    const folder = await mkdtemp(join(tmpdir(), `${name}-`))
    await chmod(folder, 0o755)
    const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()])
    const [port, plainPort, ...own] = ports
    const settings = {
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'info',
      PUBLIC_URL: 'https://localhost',
      OFFICE_PASSKEY: 'off',
    }
    for (const portalPort of own) {
      const portal = startPortal({ ...settings, DATA_DIR: join(folder, String(portalPort)), PORT: String(portalPort) })
      portals.push(portal)
      await vi.waitFor(() => expect(portal.output()).toContain('"msg":"started"'), 60_000)
    }
    const note = (chunk: Buffer) => {
      log += chunk
    }
    syslog = createSocket('udp4').on('message', note)
    syslog.bind(0, '127.0.0.1')
    await once(syslog, 'listening')
    place = { folder, port, plainPort, syslogPort: syslog.address().port, portals: own.map(one => `127.0.0.1:${one}`) }
    await writeFile(join(folder, 'portal.crt'), certificate)
    await writeFile(join(folder, 'portal.key'), key)
    await writeFile(join(folder, 'portal.pem'), certificate + key)
    const { file, adapt, args } = PROXIES[name]
    const config = join(folder, file)
    await writeFile(config, adapt(await readFile(join(import.meta.dirname, '../../packaging', file), 'utf8'), place))
    proxy = spawn(name, args(config), { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } })
    for (const stream of [proxy.stdout, proxy.stderr]) stream?.on('data', note)
    const isReady = () =>
      call('GET', '/api/health/ready')
        .then(({ status }) => status)
        .catch(() => log.slice(-2_000))
    await vi.waitFor(async () => expect(await isReady()).toBe(200), { timeout: 30_000, interval: 200 })
    const opened = openDatabase({
      connection: { connectionString: postgres.url },
      timeZone: 'Europe/Berlin',
      poolSize: 2,
    })
    db = opened
    person = await insertUserWithSession(opened)
    await opened.execute(sql`insert into office_rights (web_user_id, "right") values (${person.id}, 'programme')`)
    courseId = (await insertCourse(opened)).id
    await opened.execute(sql`update programme set revision = revision + 1`)
  }, 180_000)
  afterAll(async () => {
    if (!isThere) return
    proxy?.kill()
    if (proxy?.exitCode === null) await once(proxy, 'exit')
    syslog.close()
    await stopPortals()
    await db?.close()
    await postgres.remove()
    await rm(place.folder, { recursive: true, force: true })
  })

  /** @param body parts that are sent with a pause of a second */
  function call(method: string, path: string, body: Buffer[] = [], own: OutgoingHttpHeaders = {}): Promise<Answer> {
    const headers = {
      Host: 'localhost',
      ...(person && { SessionToken: person.token }),
      Cookie: 'XSRF-TOKEN=near',
      'X-XSRF-TOKEN': 'near',
      'Content-Type': 'application/json',
      ...(body.length > 0 && { 'Content-Length': Buffer.concat(body).length }),
      ...own,
    }
    return new Promise((resolve, reject) => {
      const address = { host: '127.0.0.1', port: place.port, ca: authority, servername: 'localhost' }
      const sending = request({ ...address, method, path, headers, agent: false }, response =>
        text(response).then(
          content => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
          reject,
        ),
      )
      sending.on('error', reject)
      const [first, ...others] = body
      if (first) sending.write(first)
      void (async () => {
        for (const part of others) {
          await sleep(1_000)
          sending.write(part)
        }
        sending.end()
      })()
    })
  }
  const read = () =>
    call('GET', '/api/season').then(
      ({ status }) => status,
      error => String(error),
    )
  const isRunning = (context: { skip(): void }) => isThere || context.skip()

  test('refused writes cost nobody a page, and the person gets the portal’s own answer', {
    timeout: 60_000,
  }, async context => {
    isRunning(context)
    await postgres.sql(`alter system set synchronous_standby_names = 'missing'`)
    await postgres.sql('select pg_reload_conf()')
    const until = Date.now() + 8_000
    const statuses: (number | string)[] = []
    const readers = Array.from({ length: 5 }, async () => {
      while (Date.now() < until) {
        statuses.push(await read())
        await sleep(20)
      }
    })
    const refused: Promise<Answer>[] = []
    while (Date.now() < until) {
      refused.push(call('PUT', '/api/course/coursebooking', [Buffer.from(JSON.stringify({ id: courseId }))]))
      await sleep(200)
    }
    await Promise.all(readers)
    const answers = await Promise.all(refused)
    await postgres.sql('alter system reset synchronous_standby_names')
    await postgres.sql('select pg_reload_conf()')
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(statuses.length).toBeGreaterThan(50)
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toMatchObject({ status: 503, body: expect.stringContaining('"code"') })
      expect(headers['retry-after']).toBeDefined()
    }
  })

  test('an upload may take longer than 30 s', { timeout: 120_000 }, async context => {
    isRunning(context)
    const parts = Array.from({ length: 36 }, () => Buffer.alloc(16_000, 'a'))
    const [head, tail] = [
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
      '\r\n--b--\r\n',
    ]
    const { status, body } = await call('POST', '/api/office/files', [Buffer.from(head), ...parts, Buffer.from(tail)], {
      'Content-Type': 'multipart/form-data; boundary=b',
    })
    // The portal has read the whole file and judges its type.
    expect({ status, body }).toMatchObject({ status: 400, body: expect.stringContaining('"code"') })
  })

  test('the request id of the proxy is in the portal’s log, and secrets are in no log', async context => {
    isRunning(context)
    const secrets = [
      '/api/calendar/FeedSecret1.ics',
      '/api/certificates/FeedSecret2',
      '/undo/FeedSecret3',
      '/activate/FeedSecret4',
    ]
    for (const path of [...secrets, '/API/Calendar/FeedSecret5.ics', '/api/session?sessionToken=FeedSecret6'])
      await call('GET', path)
    const { headers } = await call('GET', '/api/course?FeedSecret7=1', [], { 'X-Request-Id': 'forged' })
    const id = String(headers['x-request-id'])
    expect(id).not.toBe('forged')
    await expect.poll(() => portals.some(({ output }) => output().includes(`"id":"${id}"`))).toBe(true)
    const readLog = async () => log + (await readFile(join(place.folder, 'access.log'), 'utf8').catch(() => ''))
    await expect.poll(async () => (await readLog()).includes('/api/course')).toBe(true)
    expect(/.*FeedSecret.*/.exec(await readLog())?.[0].slice(0, 500)).toBeUndefined()
    expect(
      portals
        .map(({ output }) => output())
        .join('')
        .includes('FeedSecret'),
    ).toBe(false)
  })

  test('a killed portal costs no read', { timeout: 60_000 }, async context => {
    isRunning(context)
    const statuses: (number | string)[] = []
    for (let count = 0; count < 120; count++) {
      if (count === 20) portals[0]?.child.kill('SIGKILL')
      statuses.push(await read())
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
