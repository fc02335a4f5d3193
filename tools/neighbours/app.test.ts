import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../server/test/database.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { startFile } from '../../server/test/portal.ts'
import { isInstalled } from './programs.ts'

type Icon = { src: string; sizes: string; type: string; purpose?: string }
type Manifest = Record<string, unknown> & { icons: Icon[]; screenshots?: Icon[] }

const database = await openTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'app-'))
const { PATH = '', HOME = '' } = process.env
const settings = { PORT: '0', DATA_DIR: folder, DATABASE_URL: database.url, PROCESSES: '1', DEMO: 'off' }
const portal = spawn(process.execPath, [startFile], {
  env: { PATH, HOME, ...settings },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
portal.stdout.on('data', chunk => {
  output += chunk
})
afterAll(async () => {
  portal.kill()
  await once(portal, 'exit')
  await rm(folder, { recursive: true })
})
let url = ''
beforeAll(async () => {
  for (let waited = 0; url === '' && waited < 600; waited++) {
    await sleep(100)
    ;[url = ''] = /http:\/\/[^\s"/]+/.exec(output) ?? []
  }
})

test.each(['/manifest.webmanifest', '/manifest.en.webmanifest'])(
  '%s fulfils the browsers’ criteria for an installable app',
  async path => {
    const answer = await fetch(url + path)
    expect(answer.headers.get('Content-Type')).toContain('application/manifest+json')
    const manifest = (await answer.json()) as Manifest
    for (const field of ['name', 'short_name', 'start_url', 'display', 'theme_color', 'background_color', 'lang', 'id'])
      expect(manifest[field], field).toBeTruthy()
    expect(String(manifest.short_name).length).toBeLessThanOrEqual(12)
    const sizes = manifest.icons.map(({ sizes, purpose = 'any' }) => `${purpose} ${sizes}`)
    expect(sizes).toEqual(expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']))
    for (const { src, sizes, type } of [...manifest.icons, ...(manifest.screenshots ?? [])]) {
      const picture = await fetch(new URL(src, url))
      expect([picture.status, picture.headers.get('Content-Type')?.split(';')[0]]).toEqual([200, type])
      if (sizes === 'any') continue
      const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
      expect(`${width}x${height}`, src).toBe(sizes)
    }
  },
)

test.each(['/favicon.ico', '/apple-touch-icon.png', '/apple-touch-icon-precomposed.png'])(
  '%s is an image',
  async path => {
    const answer = await fetch(url + path)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/^image\//)])
  },
)

test.skipIf(!isInstalled('squid'))(
  'behind a caching proxy, every visitor gets the cookie of the first request, and an unchanged page is not sent again',
  { timeout: 60_000 },
  async () => {
    const own = await mkdtemp(join(tmpdir(), 'squid-'))
    await chmod(own, 0o777)
    const port = await findFreePort()
    await writeFile(
      join(own, 'squid.conf'),
      `http_port 127.0.0.1:${port} accel defaultsite=localhost
cache_peer 127.0.0.1 parent ${new URL(url).port} 0 no-query originserver
http_access allow all
pinger_enable off
pid_filename none
access_log none
cache_log ${own}/cache.log
coredump_dir ${own}
`,
    )
    const squid = spawn('squid', ['-N', '-f', join(own, 'squid.conf')], { stdio: 'ignore' })
    try {
      const get = (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/faq`, { headers })
      const isUp = () =>
        get().then(
          ({ ok }) => ok,
          () => false,
        )
      await expect.poll(isUp, { timeout: 30_000, interval: 200 }).toBe(true)
      const [first, second] = [await get(), await get()]
      for (const { headers } of [first, second]) expect(headers.getSetCookie().join()).toContain('XSRF-TOKEN=')
      const Cookie = 'XSRF-TOKEN=known'
      await get({ Cookie })
      const again = await get({ Cookie, 'If-None-Match': first.headers.get('ETag') ?? '' })
      expect(again.status).toBe(304)
    } finally {
      squid.kill('SIGKILL')
      await once(squid, 'exit')
      await rm(own, { recursive: true })
    }
  },
)
