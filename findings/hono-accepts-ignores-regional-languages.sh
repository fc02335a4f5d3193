#!/usr/bin/env bash
# hono 4.13.19, helper hono/accepts.
# Expected: supports ["de", "en"] serves German to a browser that sends "de-AT,en;q=0.5" (RFC 4647, section 3.4: lookup
#   removes subtags from the end until something matches).
# Seen: the helper compares whole tags. "de-AT,en;q=0.5" gets English and "de-DE" alone the default; "de,en;q=0.5" is right.
#   Browsers in Austria and Switzerland send a region first, and Safari does so everywhere.
# Matters: every reader with a regional first language gets the other language of a bilingual site.
# Source: hono.dev, Accepts helper; RFC 4647 §3.4.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hono@4.13.19
cat > run.mjs <<'JS'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
const app = new Hono().get('/', context => context.text(accepts(context, { header: 'Accept-Language', supports: ['de', 'en'], default: 'default' })))
const seen = []
for (const language of ['de-AT,en;q=0.5', 'de-DE', 'de,en;q=0.5']) {
  const served = await (await app.request('/', { headers: { 'Accept-Language': language } })).text()
  console.log(`Accept-Language: ${language} → ${served}`)
  seen.push(served)
}
process.exit(seen.join() === 'en,default,de' ? 0 : 1)
JS
node run.mjs
