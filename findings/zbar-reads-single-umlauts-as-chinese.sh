#!/usr/bin/env bash
# ZBar 0.23.92 (Debian zbar-tools) beside jsQR 1.4.0 with pngjs 7.0.0 (npm); codes by segno 1.4.1 (Debian python3-segno)
# Expected: the name in an EPC QR code (GiroCode), whose third line says that its text is UTF-8 (1), arrives as it is.
# Actual: "Müller" arrives as "M羹ller" and "Löwen" as "L繹wen". The line is text like any other to a reader of codes; without an ECI mark in
# the code ZBar guesses the encoding, and the bytes of ü and ö are a letter of Big5, too. It depends on the whole text: "Größe
# und Spaß" is right, so that one name in a test proves nothing. With ECI 26 (UTF-8) all names are right. jsQR takes bytes without
# a mark for UTF-8.
# Source: issue 212 of mchehab/zbar (the same letters, open; issue 281 for ISO 8859-1); zbar/qrcode/qrdectxt.c (guesses of the encoding);
# European Payments Council, EPC069-12 (character set, third line); ISO/IEC 18004 (ECI).
# Why it matters: banks compare the name in a transfer with the holder of the account (verification of payee, since October 2025). A name
# with a Chinese letter in it is another name, for the invoices of one association and not of another. ASCII letters are
# safe, as payment orders have them.
set -euo pipefail
python=/usr/bin/python3
command -v zbarimg >/dev/null || apt-get install -y -qq --no-install-recommends zbar-tools >/dev/null
"$python" -c 'import segno' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-segno >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent pngjs@7.0.0 jsqr@1.4.0
cat >make.py <<'PY'
import segno, sys
mark, name = sys.argv[1:]
text = '\n'.join(['BCD', '002', '1', 'SCT', '', name, 'DE75512108001245126199', 'EUR45.00', '', '', '2027-000123'])
segno.make_qr(text, encoding='utf-8', eci=mark == 'ECI', error='m').save('code.png', scale=5, border=4)
PY
cat >read.cjs <<'JS'
const { readFileSync } = require('node:fs')
const jsQr = require('jsqr').default
const { PNG } = require('pngjs')
const { data, width, height } = PNG.sync.read(readFileSync('code.png'))
const read = jsQr(new Uint8ClampedArray(data), width, height)
console.log(read.chunks.map(({ type, assignmentNumber = '' }) => type + assignmentNumber).join(' '), '| jsQR', read.data.split('\n')[5])
JS
npm ls | tail -n +2
dpkg-query -W zbar-tools python3-segno
found=$(for name in 'Sportverein Müller' 'Löwen e. V.' 'Größe und Spaß' 'Sportverein Mueller'; do
  for mark in none ECI; do
    "$python" make.py "$mark" "$name"
    echo "$(node read.cjs) | ZBar $(zbarimg -q --raw code.png 2>/dev/null | sed -n 6p)"
  done
done)
echo "$found"
[ "$found" = 'byte | jsQR Sportverein Müller | ZBar Sportverein M羹ller
eci26 byte | jsQR Sportverein Müller | ZBar Sportverein Müller
byte | jsQR Löwen e. V. | ZBar L繹wen e. V.
eci26 byte | jsQR Löwen e. V. | ZBar Löwen e. V.
byte | jsQR Größe und Spaß | ZBar Größe und Spaß
eci26 byte | jsQR Größe und Spaß | ZBar Größe und Spaß
byte | jsQR Sportverein Mueller | ZBar Sportverein Mueller
eci26 byte | jsQR Sportverein Mueller | ZBar Sportverein Mueller' ]
