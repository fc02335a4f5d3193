#!/usr/bin/env bash
# workbox-precaching 7.4.1 in Node.js with a Cache Storage made of a Map; seen with the installed worker in Chromium, too.
# Expected: the revision of an entry (by workbox-build the hash of the file) is the version that is stored; another version
#   fails the installation, as a missing file does, and the browser repeats it later.
# Seen: the revision is the cache key only; it is neither sent nor compared. The page of version 1, from a server that is not
#   upgraded yet, is stored as that of version 2, beside the scripts of version 2. Later installations find the key and do
#   not fetch the page again. Only the optional field `integrity`, which workbox-build does not write, prevents it.
# Matters: with two servers that are upgraded one after the other, devices keep a page whose scripts are in no cache and soon
#   on no server: the installed app does not start until the next version.
# Source: developer.chrome.com/docs/workbox/modules/workbox-precaching (precache list, integrity).
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund workbox-precaching@7.4.1
cat > run.mjs <<'JS'
import { createHash } from 'node:crypto'
const origin = 'https://example.org'
const stored = new Map()
const cache = {
  match: async request => stored.get(request.url ?? String(request))?.clone(),
  put: async (request, response) => void stored.set(request.url ?? String(request), response),
  keys: async () => [...stored.keys()].map(url => new Request(url)),
  delete: async request => stored.delete(request.url),
}
Object.assign(globalThis, {
  self: globalThis,
  location: new URL(`${origin}/sw.js`),
  registration: { scope: `${origin}/` },
  caches: { open: async () => cache, match: cache.match, keys: async () => ['precache'] },
  addEventListener: () => {},
})
globalThis.ExtendableEvent ??= class { type = 'install'; waitUntil() {} }
globalThis.FetchEvent ??= class extends ExtendableEvent {}
const { PrecacheController } = await import('workbox-precaching')
const page = version => `<script src="/app-${version}.js"></script>`
const hash = text => createHash('md5').update(text).digest('hex')

/** Installs the worker of version 2. */
async function install(fetched, integrity) {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const path = new URL(request.url).pathname
    const content = path === '/index.html' ? fetched : 'version 2'
    const digest = `sha256-${createHash('sha256').update(content).digest('base64')}`
    // Browsers check the integrity themselves.
    if (request.integrity && request.integrity !== digest) throw new TypeError('integrity')
    return new Response(content)
  }
  const controller = new PrecacheController()
  controller.addToCacheList([
    { url: '/app-2.js', revision: null },
    { url: '/index.html', revision: hash(page(2)), ...(integrity && { integrity }) },
  ])
  const event = new ExtendableEvent()
  const { updatedURLs } = await controller.install(event)
  return { updated: updatedURLs.length, page: await (await controller.matchPrecache('/index.html')).text() }
}
const sha = text => `sha256-${createHash('sha256').update(text).digest('base64')}`
const first = await install(page(1))
const again = await install(page(2))
stored.clear()
const guarded = await install(page(1), sha(page(2))).then(() => 'installed', error => `failed: ${error.name}`)
console.log('first installation, page of version 1 fetched:', first)
console.log('again, page of version 2 fetched:', again)
console.log('first installation with integrity:', guarded)
process.exit(first.page === page(1) && again.page === page(1) && again.updated === 0 && guarded.startsWith('failed') ? 0 : 1)
JS
NODE_ENV=production node run.mjs
