#!/usr/bin/env bash
# Chromium 153 of the npm package @sparticuz/chromium 153.0.0, driven by playwright-core 1.65.1.
# Expected: a response with "Cache-Control: no-cache" is revalidated before it is used again (RFC 9111, section 5.2.2.4), at
#   the latest when the page calls fetch with cache: 'no-cache'.
# Seen: after going back from another page, <link rel=preload as=fetch> is answered from the HTTP cache without a request, and
#   fetch takes this preloaded response whatever its cache mode: nothing reaches the server. The cache mode is no part of the
#   comparison with preloads; the credentials mode is, so that credentials: 'include' gets the present data.
# Matters: a page that preloads its data shows that of the last visit, minutes or days old, as present after going back,
#   which no reload reproduces; Date and other headers are as old.
# Source: RFC 9111 §5.2.2.4; fetch.spec.whatwg.org, request cache mode; html.spec.whatwg.org, "consume a preloaded resource".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"; export TMPDIR=$folder
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @sparticuz/chromium@153.0.0 playwright-core@1.65.1
cat > run.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import packed from '@sparticuz/chromium'
import { chromium } from 'playwright-core'

let count = 0
const server = createServer((request, response) => {
  if (request.url !== '/data') {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' })
    const link = '<link rel="preload" as="fetch" crossorigin="anonymous" href="/data">'
    return response.end(`<!doctype html><link rel="icon" href="data:,">${request.url === '/' ? link : ''}`)
  }
  count++
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache', ETag: `"${count}"` })
  response.end(`state ${count}`)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${server.address().port}`
const browser = await chromium.launch({ executablePath: await packed.executablePath(), args: packed.args, headless: true })
console.log('Chromium', browser.version())

async function visit(options) {
  const page = await (await browser.newContext()).newPage()
  const read = () => page.evaluate(async options => (await fetch('/data', options)).text(), options)
  await page.goto(address, { waitUntil: 'networkidle' })
  const first = await read()
  await page.goto(`${address}/other`)
  await page.goBack({ waitUntil: 'networkidle' })
  const before = count
  const again = await read()
  console.log(options, 'first visit:', first, '| after going back:', again, '| requests for it:', count - before)
  return first === again
}
const isStale = await visit({ cache: 'no-cache' })
const isStaleWithCredentials = await visit({ cache: 'no-cache', credentials: 'include' })
await browser.close()
server.close()
process.exit(isStale && !isStaleWithCredentials ? 0 : 1)
JS
node run.mjs
