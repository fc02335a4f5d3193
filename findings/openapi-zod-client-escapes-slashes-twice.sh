#!/usr/bin/env bash
# openapi-zod-client 1.18.3 (npm) with TypeScript 5.9.3
# Expected: a `pattern` of an OpenAPI document becomes a regular expression that accepts the same texts, whether its author wrote a
# slash as / or as \/, which ECMA-262 allows with and without the flag u.
# Actual: the generator puts a backslash before each slash that is outside a class, also before an escaped one. ^https?:\/\/ becomes
# /^https?:\\/\\//: the literal ends after the first backslash, and the generated file does not parse. With / alone it does.
# Source: ECMA-262, 22.2.6.13.1 (EscapeRegExpPattern: source escapes each slash, so that /…/ is a literal); JSON Schema 2020-12,
# 6.4 (regular expressions).
# Why it matters: whoever makes the document from JavaScript (valibot, zod, TypeBox) writes pattern: expression.source, where each
# slash of a URL or a path is escaped. One such field makes the whole generated client unusable, for those who read the API.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts openapi-zod-client@1.18.3 typescript@5.9.3
cat >run.mjs <<'JS'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
function parses(name, pattern) {
  const content = { 'application/json': { schema: { type: 'object', properties: { url: { type: 'string', pattern } } } } }
  const operation = { operationId: 'x', requestBody: { content }, responses: { 200: { description: 'ok' } } }
  const document = { openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: { '/x': { post: operation } } }
  writeFileSync(`${name}.json`, JSON.stringify(document))
  execFileSync('node_modules/.bin/openapi-zod-client', [`${name}.json`, '-o', `${name}.ts`], { stdio: 'pipe' })
  const [line] = /\.regex\(.*/.exec(readFileSync(`${name}.ts`, 'utf8')) ?? []
  const { stdout } = spawnSync('node_modules/.bin/tsc', ['--noEmit', '--noResolve', '--target', 'es2022', `${name}.ts`], { encoding: 'utf8' })
  // Missing modules are no fault of the file; TS1xxx are errors of syntax.
  const isParsed = !/error TS1\d{3}:/.test(stdout)
  console.log(`${pattern} becomes ${line}: ${isParsed ? 'parses' : 'does not parse'}`)
  return isParsed
}
const address = /^https?:\/\/[\w.-]+$/
const results = [parses('source', address.source), parses('plain', address.source.replaceAll('\\/', '/'))]
process.exit(results.join() === 'false,true' ? 0 : 1)
JS
npm ls openapi-zod-client | tail -n +2
node run.mjs
