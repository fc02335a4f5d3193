#!/usr/bin/env bash
# ZBar 0.23.92 (Debian zbar-tools) beside jsQR 1.4.0 (npm); codes by qrcode 1.5.4 with pngjs 7.0.0 (npm)
# Expected: the name in an EPC QR code (GiroCode), which says itself that its text is UTF-8 (third line: 1), arrives as it is.
# Actual: "Müller" arrives as "M羹ller" and "Löwen" as "L繹wen": ZBar guesses the encoding of bytes, and those of ü and ö are a letter of
# Big5, too. It depends on the whole text: "Größe und Spaß" is right, so that one name in a test proves nothing. jsQR takes
# the bytes for UTF-8 and is right.
# Source: European Payments Council, EPC069-12 (character set, third line); zbar/qrcode/qrdectxt.c (guesses of the encoding).
# Why it matters: banks compare the name in a transfer with the holder of the account (verification of payee, since October 2025). A name
# with a Chinese letter in it warns the payer, for each invoice of one association and for none of another. ASCII letters are
# safe, as payment orders have them.
set -euo pipefail
command -v zbarimg >/dev/null || apt-get install -y -qq --no-install-recommends zbar-tools >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent qrcode@1.5.4 pngjs@7.0.0 jsqr@1.4.0
cat >make.cjs <<'JS'
const { readFileSync } = require('node:fs')
const jsQr = require('jsqr').default
const { PNG } = require('pngjs')
const { toFile } = require('qrcode')
async function make(name, file) {
  const text = ['BCD', '002', '1', 'SCT', '', name, 'DE75512108001245126199', 'EUR45.00', '', '', '2027-000123'].join('\n')
  await toFile(file, text, { errorCorrectionLevel: 'M', width: 300 })
  const { data, width, height } = PNG.sync.read(readFileSync(file))
  const bytes = Buffer.from(jsQr(new Uint8ClampedArray(data), width, height).binaryData)
  console.log('jsQR', bytes.toString('utf8').split('\n')[5])
}
make(...process.argv.slice(2))
JS
npm ls | tail -n +2
dpkg-query -W zbar-tools
found=$(for name in 'Sportverein Müller' 'Löwen e. V.' 'Größe und Spaß' 'Sportverein Mueller'; do
  node make.cjs "$name" code.png
  echo "ZBar $(zbarimg -q --raw code.png 2>/dev/null | sed -n 6p)"
done)
echo "$found"
[ "$found" = 'jsQR Sportverein Müller
ZBar Sportverein M羹ller
jsQR Löwen e. V.
ZBar L繹wen e. V.
jsQR Größe und Spaß
ZBar Größe und Spaß
jsQR Sportverein Mueller
ZBar Sportverein Mueller' ]
