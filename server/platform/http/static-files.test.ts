import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountStaticFiles, type PageOptions } from './static-files.ts'

let folder: string
const html = `<!doctype html><title>Sport</title><meta name="description" content="Kurse." />`
const pages: PageOptions = {
  publicUrl: 'https://sport.example.com',
  describe: async path => {
    if (path === '/course-details/500') throw new Error('no database')
    if (path === '/course-details/8') return 'missing'
    return path === '/course-details/7'
      ? { title: 'Rücken "fit" & <b>stark</b> $&', description: "Für alle, die's mögen" }
      : null
  },
}
const app = new Hono()
const script = 'console.log("hello")\n'.repeat(100)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'static-'))
  const dist = join(folder, 'dist')
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, 'index.html'), html)
  await writeFile(
    join(dist, 'page-heads.json'),
    JSON.stringify({ '/faq': { title: 'Fragen', description: 'Antworten.' } }),
  )
  await writeFile(join(dist, 'sw.js'), 'self')
  await writeFile(join(dist, 'manifest.webmanifest'), '{}')
  await writeFile(join(dist, '.built-from'), 'secret')
  await writeFile(join(dist, 'assets/index-abc.js'), script)
  await writeFile(join(dist, 'assets/index-abc.js.br'), brotliCompressSync(script))
  await writeFile(join(dist, 'assets/index-abc.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'outside.txt'), 'outside')
  await symlink(join(folder, 'outside.txt'), join(dist, 'link.txt'))
  await mountStaticFiles(app, dist, pages)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })

test('a hashed file is immutable and sent in the smallest accepted encoding', async () => {
  const best = await get('/assets/index-abc.js', { 'Accept-Encoding': 'gzip, deflate, br' })
  expect(best.headers.get('Content-Encoding')).toBe('br')
  expect(best.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  expect(best.headers.get('Content-Type')).toMatch(/javascript/)
  expect(best.headers.get('Vary')).toBe('Accept-Encoding')

  const older = await get('/assets/index-abc.js', { 'Accept-Encoding': 'br;q=0, gzip' })
  expect(older.headers.get('Content-Encoding')).toBe('gzip')
  const plain = await get('/assets/index-abc.js')
  expect(plain.headers.get('Content-Encoding')).toBeNull()
  expect(await plain.text()).toBe(script)
  expect(new Set([best, older, plain].map(answer => answer.headers.get('ETag'))).size).toBe(3)
})

test.each(['/', '/index.html', '/sw.js', '/manifest.webmanifest'])('%s is revalidated each time', async path => {
  const answer = await get(path)
  expect(answer.headers.get('Cache-Control')).toBe('private, no-cache')
  const again = await get(path, { 'If-None-Match': answer.headers.get('ETag') ?? '' })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

test.each(['/courses', '/Courses/', '/course-details/17', '/activate/Ab_-9', '/courses/booked'])(
  '%s returns a page of the app',
  async path => {
    const answer = await get(path, { Accept: 'text/html' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<title>Sport</title>')
  },
)

test.each([
  '/healthz',
  '/metrics',
  '/LICENSE',
  '/unknown/deep/page',
  '/activate',
  '/course-details/8',
  '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  '/assets/index-old.js',
  '/assets/index-abc.js.br',
  '/photos/nothing',
  '/favicon.ico',
  '/.built-from',
  '/link.txt',
  '/../outside.txt',
  '/%2e%2e/outside.txt',
  '/assets/..%2f..%2foutside.txt',
  '/%00.js',
])('%s returns 404 with the app’s page', async path => {
  const answer = await get(path, { Accept: 'text/html' })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(await answer.text()).toBe(html)
  expect((await get(path, { 'If-None-Match': '*' })).status).toBe(404)
})

test('HEAD returns the same headers without content', async () => {
  const answer = await app.request('/assets/index-abc.js', { method: 'HEAD' })
  expect(answer.headers.get('Content-Length')).toBe(String(script.length))
  expect(await answer.text()).toBe('')
})

test('a folder without the app is reported', async () => {
  await expect(mountStaticFiles(new Hono(), join(folder, 'dist/assets'), pages)).rejects.toThrow('has no index.html')
})

test('a page has metadata for link previews', async () => {
  const faq = await get('/faq')
  const text = await faq.text()
  expect(text).toContain('<title>Fragen</title>')
  expect(text).toContain('<meta name="description" content="Antworten." />')
  expect(text).toContain('<link rel="canonical" href="https://sport.example.com/faq" />')
  expect(text).toContain('<meta property="og:image" content="https://sport.example.com/icons/icon-512.png" />')
  expect(faq.headers.get('Cache-Control')).toBe('private, no-cache')
  expect((await get('/faq', { 'If-None-Match': faq.headers.get('ETag') ?? '' })).status).toBe(304)

  const course = await (await get('/course-details/7')).text()
  expect(course).toContain('<title>Rücken &quot;fit&quot; &amp; &lt;b&gt;stark&lt;/b&gt; $&amp;</title>')
  expect(course).toContain('<meta name="description" content="Für alle, die&#39;s mögen" />')
})

test('a page with metadata is compressed', async () => {
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const page = await get('/course-details/7', { 'Accept-Encoding': encoding })
    expect(page.headers.get('Content-Encoding')).toBe(encoding)
    const text = decode(Buffer.from(await page.arrayBuffer())).toString()
    expect(text).toBe(await (await get('/course-details/7')).text())
    expect((await get('/course-details/7', { 'If-None-Match': page.headers.get('ETag') ?? '' })).status).toBe(200)
    const known = { 'If-None-Match': page.headers.get('ETag') ?? '', 'Accept-Encoding': encoding }
    expect((await get('/course-details/7', known)).status).toBe(304)
  }
})

test('pages are served even without the database', async () => {
  expect(await (await get('/course-details/500')).text()).toBe(html)
})

test('the list of page heads is not served', async () => {
  expect((await get('/page-heads.json')).status).toBe(404)
})

test('a page preloads the files of its screen and shows its first view, styles first, only for its own path', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'first-view-'))
  const style = '<link rel="stylesheet" crossorigin href="/assets/index.css">'
  const listed = JSON.stringify({
    '/courses': ['assets/list.js', 'assets/list.css'],
    de: ['assets/de.js'],
    en: ['assets/en.js'],
  })
  await writeFile(
    join(dist, 'index.html'),
    `<html><head><script type="application/json" id="first-files">${listed}</script><meta charset="utf-8" />` +
      `<meta name="viewport" content="width=device-width" /><script>boot()</script>${style}</head><body><div id="root"><header>Sport</header></div></body></html>`,
  )
  await mkdir(join(dist, '.first-view'))
  await writeFile(join(dist, '.first-view/first-view.js'), 'secret')
  await mkdir(join(dist, 'assets'))
  await writeFile(join(dist, 'assets/index.css'), 'main { color: red }')
  await writeFile(join(dist, 'assets/list.css'), 'article { color: blue }')
  const own = new Hono()
  let markup = '<main>Yoga $&</main>'
  await mountStaticFiles(own, dist, {
    ...pages,
    firstView: async (path, hasQuery) =>
      path === '/courses' && !hasQuery
        ? { screen: '/courses', markup, links: '<link rel="preload" href="/a.webp">' }
        : null,
  })
  const page = async (path: string) => (await own.request(path)).text()
  const text = await page('/courses')
  // Until a phone has parsed the viewport, it loads pictures for a width of 980 px.
  const order = [
    'name="viewport"',
    '<script>boot()</script>',
    '<style>main { color: red }</style>',
    '<style>article { color: blue }</style>',
    '/a.webp',
    '<link fetchpriority="low" rel="modulepreload"',
    '/assets/list.js',
    '/assets/de.js',
    '<body>',
  ]
  const places = order.map(part => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  expect(text).toContain('<div id="root" data-first-view="/courses"><main>Yoga $&</main></div>')
  expect(text).not.toContain('href="/assets/en.js"')
  // The page may contain nothing else inline.
  const policyOf = async (path: string, headers = {}) =>
    (await own.request(path, { headers })).headers.get('Content-Security-Policy')
  const sha256 = (inside: string) => `'sha256-${createHash('sha256').update(inside).digest('base64')}'`
  const policy = (await policyOf('/courses')) ?? ''
  expect(policy.split('; ')).toContain(`script-src 'self' ${sha256('boot()')}`)
  expect(policy.split('; ')).toContain(
    `style-src 'self' ${sha256('main { color: red }')} ${sha256('article { color: blue }')}`,
  )
  expect(policy).toContain("require-trusted-types-for 'script'")
  const known = { 'If-None-Match': (await own.request('/courses')).headers.get('ETag') ?? '' }
  expect(await policyOf('/courses', known)).toBe(policy)
  for (const path of ['/courses?text=yoga', '/login', '/index.html', '/unknown']) {
    expect(await page(path), path).toContain('<script>boot()</script>')
    expect((await policyOf(path))?.split('; '), path).toEqual(
      expect.arrayContaining([`script-src 'self' ${sha256('boot()')}`, "style-src 'self'"]),
    )
  }
  expect(text).not.toMatch(/<link rel="stylesheet"(?![^>]* disabled>)/)
  expect(await page('/courses?text=yoga')).toContain(style)
  expect(await page('/courses?text=yoga')).toContain('<header>Sport</header>')
  expect(await page('/login')).toContain('<header>Sport</header>')
  expect((await own.request('/.first-view/first-view.js')).status).toBe(404)

  const tag = async () => (await own.request('/courses')).headers.get('ETag')
  const before = await tag()
  expect(await tag()).toBe(before)
  markup = '<main>Pilates</main>'
  expect(await tag()).not.toBe(before)
  await rm(dist, { recursive: true })
})

test('files are sent plain until their compressed variants appear', async () => {
  const dist = join(folder, 'plain')
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, 'index.html'), html)
  await writeFile(join(dist, 'assets/index-abc.js'), script)
  const { promise: compressed, resolve } = Promise.withResolvers<void>()
  const fresh = new Hono()
  await mountStaticFiles(fresh, dist, { ...pages, compressed })
  const load = async () => {
    const answer = await fresh.request('/assets/index-abc.js', { headers: { 'Accept-Encoding': 'br' } })
    return { encoding: answer.headers.get('Content-Encoding'), bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  expect(await load()).toEqual({ encoding: null, bytes: Buffer.from(script) })
  await writeFile(join(dist, 'assets/index-abc.js.br'), brotliCompressSync(script))
  resolve()
  await expect.poll(load).toEqual({ encoding: 'br', bytes: brotliCompressSync(script) })
})
