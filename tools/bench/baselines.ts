import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import type { Course } from '../../contract/endpoints/courses.ts'
import type { Item } from './baselines/items.ts'

/** Files of a baseline app, served from memory at maximum compression, as the portal serves its own. */
type Files = Map<string, { type: string; body: Buffer }>

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  json: 'application/json',
}
const typeOf = (name: string) => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** Cache-first service worker: the smallest one that lets the app start offline. */
const workerOf = (paths: string[]) => `
  addEventListener('install', e => e.waitUntil(caches.open('floor').then(c => c.addAll(${JSON.stringify(paths)}))))
  addEventListener('fetch', e => e.respondWith(caches.match(e.request).then(r => r || fetch(e.request))))`

/** Builds one baseline app. @returns its files by path */
async function buildFloor(name: 'react' | 'mantine', items: Item[]): Promise<Files> {
  const root = await mkdtemp(join(tmpdir(), 'floor-'))
  const entry = join(import.meta.dirname, 'baselines', `${name}.tsx`)
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Kurse</title>'
  await writeFile(
    join(root, 'index.html'),
    `<!doctype html><html lang="de"><head>${head}</head><body><div id="root"></div><script type="module" src="/@fs${entry}"></script></body></html>`,
  )
  const [result] = [
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      mode: 'production',
      build: { write: false },
      resolve: { alias: [{ find: `/@fs${entry}`, replacement: entry }] },
    }),
  ].flat()
  await rm(root, { recursive: true })
  const files: Files = new Map()
  const add = (path: string, source: string | Uint8Array) =>
    files.set(path, { type: typeOf(path), body: brotliCompressSync(source) })
  for (const output of (result as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] })
    .output)
    add(`/${output.fileName}`, output.code ?? output.source ?? '')
  files.set('/', files.get('/index.html') as { type: string; body: Buffer })
  add('/list.json', JSON.stringify(items))
  add('/sw.js', workerOf([...files.keys()]))
  return files
}

async function serveFloor(files: Files): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '/')
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Encoding': 'br', 'Content-Length': file.body.length })
    response.end(file.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Serves baseline lists of a portal's courses, one built with React alone and one with Mantine. */
export async function openBaselines(portalUrl: string) {
  const courses = (await (await fetch(`${portalUrl}/api/course`)).json()) as Course[]
  const items = courses.map(({ id, name, instructor, venue }) => ({ id, name, instructor, venue }))
  const [react, mantine] = await Promise.all(
    (['react', 'mantine'] as const).map(async name => serveFloor(await buildFloor(name, items))),
  )
  return {
    react: react?.url ?? '',
    mantine: mantine?.url ?? '',
    close: () => {
      for (const floor of [react, mantine]) floor?.server.close()
    },
  }
}
