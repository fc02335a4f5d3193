// Entry point of the scripts in package.json: runs a file of this project with the Node.js of the installed packages.
// Usage: node scripts/run.mjs FILE [ARGUMENT …]
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runWithOwnNode } from '../server/platform/process/own-node.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [file = '', ...args] = process.argv.slice(2)
runWithOwnNode(join(root, file), args, file === 'server/start.mjs')
