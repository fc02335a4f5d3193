#!/usr/bin/env bash
# qpdf 11.3.0 and poppler 22.12 (Debian qpdf, poppler-utils); files by pdfkit 0.19.1 with the font Roboto of pdfmake 0.3.11 (npm)
# Expected: a file put together from two tagged PDF/UA files has the tags of both, or none and says so.
# Actual: qpdf first.pdf --pages first.pdf second.pdf keeps the catalog of the first file: the result is marked as tagged and as
# PDF/UA-1, and its structure contains the first file only. The pages of the second one are there for the eye, not for a screen
# reader that follows the structure. --check finds nothing. With --empty instead of the first file, and by pdfunite, all
# tags are lost, and the result does not claim any.
# Source: qpdf.readthedocs.io, "Page Selection" (document-level information is that of the primary input); ISO 14289-1, 7.1 (all
# content is tagged or an artifact).
# Why it matters: a server that offers "all my certificates as one file" puts accessible files together. A check of the first
# page, of the title or of pdfinfo's "Tagged: yes" is green, and people who cannot see the page get one certificate of ten.
set -euo pipefail
command -v qpdf >/dev/null || apt-get install -y -qq --no-install-recommends qpdf >/dev/null
command -v pdfunite >/dev/null || apt-get install -y -qq --no-install-recommends poppler-utils >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts pdfkit@0.19.1 pdfmake@0.3.11
cat >write.cjs <<'JS'
const { createWriteStream } = require('node:fs')
const Kit = require('pdfkit')
function write(name, text) {
  const info = { Title: 'Certificate' }
  const pdf = new Kit({ pdfVersion: '1.7', subset: 'PDF/UA', tagged: true, lang: 'en', displayTitle: true, info })
  pdf.pipe(createWriteStream(name))
  pdf.font(require.resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf'))
  pdf.addStructure(pdf.struct('Document', [pdf.struct('P', () => pdf.text(text))]))
  pdf.end()
}
write('first.pdf', 'Yoga in spring')
write('second.pdf', 'Pilates in autumn')
JS
node write.cjs
qpdf first.pdf --pages first.pdf second.pdf -- kept.pdf
qpdf --empty --pages first.pdf second.pdf -- empty.pdf
pdfunite first.pdf second.pdf united.pdf
npm ls | tail -n +2
dpkg-query -W qpdf poppler-utils
describe() {
  local is_ua=no
  ! pdfinfo -meta "$1" | grep -q '<pdfuaid:part>1<' || is_ua=yes
  echo "tagged: $(pdfinfo "$1" | sed -n 's/^Tagged: *//p'), PDF/UA: $is_ua," \
    "page: $(pdftotext "$1" - | tr -s '\n\f' ' '), structure: $(pdfinfo -struct-text "$1" | grep -o '"[^"]*"' | tr '\n' ' ')"
}
for name in first second kept empty united; do echo "$name.pdf: $(describe "$name.pdf")"; done
qpdf --check kept.pdf >/dev/null
[[ $(describe kept.pdf) = 'tagged: yes, PDF/UA: yes, page: Yoga in spring Pilates in autumn '*', structure: "Yoga in spring" ' ]]
[[ $(describe empty.pdf) = 'tagged: no, PDF/UA: no, '* ]]
[[ $(describe united.pdf) = 'tagged: no, PDF/UA: no, '* ]]
