#!/usr/bin/env bash
# sanitize-html 2.18.1 with parser.xmlMode (npm); drawing by pdftocairo 22.12 (Debian poppler-utils), read with sharp 0.35.5
# Expected: with xmlMode: true, what comes out of well-formed XML is well-formed.
# Actual: an attribute with an empty value is written without one: <path d=""/> becomes <path d></path>, and every reader
# of XML refuses the file. pdftocairo writes <path d=""/> for each blank of a font, so that any drawing with text is hit.
# allowedEmptyAttributes: ['d'] keeps it as it was, nonBooleanAttributes: ['*'] removes empty attributes; the default does neither.
# Source: sanitize-html's README ("allowedEmptyAttributes", "nonBooleanAttributes") and index.js.
# Why it matters: the package is the usual way of cleaning SVG on a server. Drawings made for a test have no empty
# attributes, those of real programs do; the upload is refused as broken, or stored and shown as a broken picture.
set -euo pipefail
command -v pdftocairo >/dev/null || apt-get install -y -qq --no-install-recommends poppler-utils >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent sanitize-html@2.18.1 sharp@0.35.5
cat >make.cjs <<'JS'
const { writeFileSync } = require('node:fs')
const stream = 'BT /F1 20 Tf 20 20 Td (A B) Tj ET'
const objects = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 60]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
  `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
]
let pdf = '%PDF-1.4\n'
const offsets = objects.map((object, index) => {
  const offset = pdf.length
  pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
  return offset
})
const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
writeFileSync('a.pdf', `${pdf}xref\n0 6\n0000000000 65535 f \n${table}trailer <</Size 6/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`)
JS
node make.cjs
pdftocairo -svg a.pdf a.svg
npm ls | tail -n +2
dpkg-query -W poppler-utils
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs'
import sanitize from 'sanitize-html'
import sharp from 'sharp'
const svg = readFileSync('a.svg', 'utf8')
const clean = more =>
  sanitize(svg.slice(svg.indexOf('<svg')), {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    ...more,
  })
const read = text => sharp(Buffer.from(text)).png().toBuffer().then(() => 'read', () => 'refused')
const found = [
  / d=""\/>/.test(svg),
  await read(svg),
  / d>/.test(clean({})),
  await read(clean({})),
  await read(clean({ allowedEmptyAttributes: ['d'] })),
]
console.log(found)
if (JSON.stringify(found) !== '[true,"read",true,"refused","read"]') process.exit(1)
JS
node run.mjs
