#!/usr/bin/env bash
# @hey-api/openapi-ts 0.95.0 (plugin zod) with zod 4.6.7 and TypeScript 5.9.3.
# Expected: a `pattern` of an OpenAPI document, for example ^[^\u2028\u2029]*$ (text in one line), is copied into the generated
#   schema as it is; ECMA-262 recommends such escapes, and JSON Schema refers to ECMA-262.
# Seen: the generator writes z.string().regex(/^[^X Y]*$/) with the two separators themselves instead of their escapes. They are
#   line terminators, which a regular expression literal must not contain: the generated file does not parse. \t and \n stay
#   escaped, so only \u escapes are concerned; U+2027-U+202E, which contains both, is harmless.
# Matters: escapes by number are the usual way to refuse control characters in names, since \p{Cc} needs the flag u. One such
#   pattern makes the whole generated client unusable.
# Source: ECMA-262, 12.9.5 (RegularExpressionNonTerminator); JSON Schema 2020-12, 6.4 (regular expressions).
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.95.0 zod@4.6.7 typescript@5.9.3
cat > run.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '@hey-api/openapi-ts'
const describe = pattern => ({
  openapi: '3.1.0', info: { title: 'x', version: '1' },
  paths: { '/x': { post: { operationId: 'x', responses: { 200: { description: 'ok' } },
    requestBody: { content: { 'application/json': { schema: { type: 'string', pattern } } } } } } },
})
async function generate(name, pattern) {
  writeFileSync(`${name}.json`, JSON.stringify(describe(pattern)))
  await createClient({ input: `${name}.json`, output: { path: name }, logs: { level: 'silent' }, plugins: ['@hey-api/client-fetch', 'zod'] })
  const [, literal = ''] = /regex\((\/[^]*?\/)\)/.exec(readFileSync(`${name}/zod.gen.ts`, 'utf8')) ?? []
  let parses = true
  try { execFileSync('node_modules/.bin/tsc', ['--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', `${name}/zod.gen.ts`], { stdio: 'pipe' }) } catch { parses = false }
  console.log(`${pattern} becomes ${JSON.stringify(literal)}: ${parses ? 'compiles' : 'does not compile'}`)
  return parses
}
const ends = await generate('ends', String.raw`^[^\u2028\u2029]*$`)
const inside = await generate('inside', String.raw`^[^\u2027-\u202e]*$`)
process.exit(!ends && inside ? 0 : 1)
JS
node run.mjs
