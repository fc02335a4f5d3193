#!/usr/bin/env bash
# Ghostscript 10.0.0 (Debian ghostscript) with a PDF by pdfkit 0.19.1 and the font Roboto of pdfmake 0.3.11 (npm), read with
# pdftotext 22.12 (Debian poppler-utils)
# Expected: making PDF/A of an invoice (-dPDFA=2 -sDEVICE=pdfwrite) keeps its text: what can be found and copied before can
# be found and copied afterwards.
# Actual: the page looks the same, but its text is another one: "Łukasz" has become "Aukasz" (U+0141, U+0041), "€" "¬" (U+20AC,
# U+00AC), "–" "3", and "Pfiffig" "Pfog". pdfkit writes the characters of its glyphs as a range with an array
# (beginbfrange <0000> <0029> [<0000> <0141> …]), which is valid; Ghostscript takes the last byte of each, so that ASCII and
# umlauts are right and a test with them is green. With an entry for each glyph (beginbfchar) letters are right, with ligatures
# switched off as well all of it is. poppler, MuPDF, pdf.js and pdfminer read the array as it is meant.
# Source: ISO 32000-2, 9.10.3 (ToUnicode CMaps, the form with an array); toUnicodeCmap in pdfkit's lib/font/embedded.js;
# ghostscript.readthedocs.io, "High Level Devices" (pdfwrite, PDF/A).
# Why it matters: archives and document managers convert each invoice that arrives (ocrmypdf and paperless-ngx do it with
# Ghostscript), search by this text, and read amounts and names from it. Nobody sees it, and the original is right.
set -euo pipefail
command -v gs >/dev/null || apt-get install -y -qq --no-install-recommends ghostscript >/dev/null
command -v pdftotext >/dev/null || apt-get install -y -qq --no-install-recommends poppler-utils >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts pdfkit@0.19.1 pdfmake@0.3.11
cat >write.cjs <<'JS'
const { createWriteStream } = require('node:fs')
const Kit = require('pdfkit')
const roboto = require.resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf')
function write(name, features) {
  const pdf = new Kit()
  pdf.pipe(createWriteStream(name))
  pdf.font(roboto).text('Łukasz: Pfiffig – 12,50 € für Öl', { features })
  pdf.end()
}
write('invoice.pdf', [])
const prototype = Object.getPrototypeOf(new Kit().font(roboto)._font)
const toHex = number => number.toString(16).padStart(4, '0')
prototype.toUnicodeCmap = function () {
  const entries = this.unicode.map((points, glyph) => `<${toHex(glyph)}> <${points.map(toHex).join('')}>`)
  const map = this.document.ref()
  map.end(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${entries.length} beginbfchar
${entries.join('\n')}
endbfchar endcmap CMapName currentdict /CMap defineresource pop end end`)
  return map
}
write('entries.pdf', { liga: false })
JS
node write.cjs
npm ls | tail -n +2
dpkg-query -W ghostscript poppler-utils
textOf() { pdftotext "$1" - | head -n 1; }
for name in invoice entries; do
  gs -q -dPDFA=2 -sColorConversionStrategy=RGB -sDEVICE=pdfwrite -o "$name-archived.pdf" "$name.pdf"
  echo "$name.pdf: $(textOf "$name.pdf") | archived: $(textOf "$name-archived.pdf")"
done
written='Łukasz: Pfiffig – 12,50 € für Öl'
[ "$(textOf invoice.pdf)" = "$written" ]
[ "$(textOf invoice-archived.pdf)" = 'Aukasz: Pfog 3 12,50 ¬ für Öl' ]
[ "$(textOf entries.pdf)" = "$written" ]
[ "$(textOf entries-archived.pdf)" = "$written" ]
