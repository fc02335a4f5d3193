#!/usr/bin/env bash
# valibot 1.5.0, @valibot/to-json-schema 1.8.0, ajv 8.20.0 with ajv-formats 3.0.1.
# Expected: the JSON Schema made from a valibot schema accepts and refuses the same values.
# Seen: (1) v.maxLength(50) counts UTF-16 units, the maxLength it is translated to counts code points (JSON Schema
#   Validation §6.3.1): thirty letters such as 𠮷 (U+20BB7, in Japanese family names) pass ajv and are refused by valibot.
#   (2) v.isoDate() takes 2026-02-30; it is translated to format "date", which ajv-formats refuses.
# Matters: a client generated from the API document accepts names that the server refuses, and refuses what it accepts.
#   v.maxCodePoints counts as JSON Schema does, but @valibot/to-json-schema refuses to translate it.
# Source: valibot API pages maxLength, isoDate ("only checks the format"); JSON Schema Validation §6.3.1, §7.3.1.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund valibot@1.5.0 @valibot/to-json-schema@1.8.0 ajv@8.20.0 ajv-formats@3.0.1
cat > run.mjs <<'JS'
import * as v from 'valibot'
import { toJsonSchema } from '@valibot/to-json-schema'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
const ajv = addFormats(new Ajv())
const seen = []
for (const [name, schema, value] of [
  ['maxLength(50), 30 × U+20BB7', v.pipe(v.string(), v.maxLength(50)), '\u{20BB7}'.repeat(30)],
  ['isoDate, 2026-02-30', v.pipe(v.string(), v.isoDate()), '2026-02-30'],
]) {
  const result = `valibot ${v.safeParse(schema, value).success}, ajv ${ajv.validate(toJsonSchema(schema), value)}`
  console.log(`${name}: ${result}`)
  seen.push(result)
}
process.exit(seen.join('; ') === 'valibot false, ajv true; valibot true, ajv false' ? 0 : 1)
JS
node run.mjs
