#!/usr/bin/env bash
# wouter 3.13.0 with react 19.3.1, rendered on the server.
# Expected: paths of a URL are compared with their case (RFC 3986, section 6.2.2.1), as web servers, service worker rules,
#   CDNs and most server routers do.
# Seen: <Route path="/courses"> also matches /Courses and /COURSES/. The pattern library (regexparam) always sets the flag
#   "i", and wouter has no option for it; a parser of one's own is the only way.
# Matters: the server answers 404 (or another cached page) for an address at which the app then shows a screen; lists of
#   routes that are kept in step (sitemap, preloads, offline rules) miss these addresses.
# Source: wouter README (no word on case); regexparam README (the patterns in its examples end in "/i"); RFC 3986 §6.2.2.1.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund wouter@3.13.0 react@19.3.1 react-dom@19.3.1 hono@4.13.19
cat > run.mjs <<'JS'
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { Hono } from 'hono'
import { Route, Router, Switch } from 'wouter'
const app = path => renderToString(h(Router, { ssrPath: path }, h(Switch, null, h(Route, { path: '/courses' }, 'list'), h(Route, null, 'not found'))))
const server = new Hono().get('/courses', context => context.text('list'))
const seen = []
for (const path of ['/courses', '/Courses', '/COURSES/', '/course']) {
  const pair = `${app(path)} / ${(await server.request(path)).status}`
  console.log(`${path}: app "${app(path)}", server ${(await server.request(path)).status}`)
  seen.push(pair)
}
process.exit(seen.join(', ') === 'list / 200, list / 404, list / 404, not found / 404' ? 0 : 1)
JS
node run.mjs
