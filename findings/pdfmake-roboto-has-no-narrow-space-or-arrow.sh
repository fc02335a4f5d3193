#!/usr/bin/env bash
# pdfmake 0.3.11 with the Roboto that it ships, and Node's Intl.
# Expected: what Intl formats and what people type into notices can be printed: spaces and arrows are in every text font.
# Seen: Roboto as shipped has no glyph for U+202F (narrow no-break space), U+2192 (→) and U+2713 (✓); pdfmake prints its
#   ".notdef" box without a warning. Node's Intl puts U+202F between thousands in French numbers, so a formatted sum
#   alone is enough. U+2009, U+2011 and U+2212 are there.
# Matters: "17:00 → 18:00" in a letter about a moved lesson, a ticked box and a French sum are printed with a box.
# Source: CLDR, French numbers (group separator U+202F); pdfmake documentation, "Custom fonts" (only the used font is searched).
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pdfmake@0.3.11 fontkit@2.0.4
cat > run.mjs <<'JS'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openSync } from 'fontkit'
const folder = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts/Roboto')
const font = openSync(join(folder, 'Roboto-Regular.ttf'))
const missing = text => [...new Set(text)].filter(letter => !font.hasGlyphForCodePoint(letter.codePointAt(0)))
  .map(letter => `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
const number = new Intl.NumberFormat('fr-FR').format(12345)
const seen = { [`Intl fr-FR "${number}"`]: missing(number), '17:00 → 18:00 ✓': missing('17:00 → 18:00 ✓'), 'U+2009, U+2011, U+2212': missing('\u2009\u2011\u2212') }
for (const [text, letters] of Object.entries(seen)) console.log(`${text}: without a glyph: ${letters.join(' ') || 'none'}`)
process.exit(JSON.stringify(Object.values(seen)) === '[["U+202F"],["U+2192","U+2713"],[]]' ? 0 : 1)
JS
node run.mjs
