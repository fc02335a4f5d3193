import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { openSync, readFileSync, writeSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { instrument } from './instrument.ts'

/**
 * `node --import …/server-hook.ts`: writes each named function that a request enters to the file that WALKS names. Of a command, which
 * WALK names, each that it enters at all.
 */
const root = join(import.meta.dirname, '../..')
// Opened now: a portal started as root gives that up. Its threads run as they are.
const log = isMainThread ? openSync(process.env.WALKS ?? '/dev/null', 'a') : null
const request = new AsyncLocalStorage<string>()

subscribe('http.server.request.start', message => {
  const { method, url } = (message as { request: IncomingMessage }).request
  request.enterWith(`${method} ${url}`)
})

Object.assign(globalThis, {
  __walk(file: string, name: string) {
    const call = request.getStore() ?? process.env.WALK
    if (call && log !== null) writeSync(log, `${call}\t${file}\t${name}\n`)
  },
})

registerHooks({
  load(url, context, next) {
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)).replaceAll('\\', '/') : ''
    if (!/^(server|contract)\/.*\.ts$/.test(path)) return next(url, context)
    const source = stripTypeScriptTypes(instrument(readFileSync(fileURLToPath(url), 'utf8'), path))
    return { format: 'module', source, shortCircuit: true }
  },
})
