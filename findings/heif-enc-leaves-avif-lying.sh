#!/usr/bin/env bash
# heif-enc of libheif 1.15.1 (Debian libheif-examples) beside avifenc (Debian libavif-bin), read with sharp 0.35.5 (npm)
# Expected: a photo of a phone, which is stored lying with the Exif orientation 6, is upright as AVIF, as avifenc makes it.
# Actual: heif-enc copies the Exif data and neither turns the pixels nor writes the property "irot". Readers of HEIF and
# AVIF must not turn by Exif, so that the picture lies in every browser; sharp reports 40 × 20 and no orientation, and
# .rotate() changes nothing, although the file has the Exif tag that turns the JPEG.
# Source: ISO/IEC 23000-22 (MIAF), 7.3.10.1 (no transformations by Exif); libavif's issue 996 and libvips' pull request 4314,
# which mended the same in avifenc and in libvips.
# Why it matters: whoever converts pictures before an upload sees them upright in viewers that follow Exif, and no option
# of the server can repair them: what is right for JPEG, PNG and WebP (turn by Exif, then drop it) has no effect here.
set -euo pipefail
command -v heif-enc >/dev/null || apt-get install -y -qq --no-install-recommends libheif-examples >/dev/null
command -v avifenc >/dev/null || apt-get install -y -qq --no-install-recommends libavif-bin >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent sharp@0.35.5
cat >make.mjs <<'JS'
import sharp from 'sharp'
await sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } }).withMetadata({ orientation: 6 }).jpeg().toFile('phone.jpg')
JS
node make.mjs
heif-enc -A phone.jpg -o heif-enc.avif >/dev/null 2>&1
avifenc phone.jpg avifenc.avif >/dev/null
npm ls | tail -n +2
dpkg-query -W libheif-examples libavif-bin
cat >run.mjs <<'JS'
import sharp from 'sharp'
const found = {}
for (const file of ['phone.jpg', 'heif-enc.avif', 'avifenc.avif']) {
  const { width, height, orientation, exif } = await sharp(file).metadata()
  const turned = await sharp(file).rotate().png().toBuffer({ resolveWithObject: true })
  found[file] = `${width}x${height} orientation ${orientation} Exif ${exif !== undefined}, turned ${turned.info.width}x${turned.info.height}`
}
console.log(found)
const expected = {
  'phone.jpg': '40x20 orientation 6 Exif true, turned 20x40',
  'heif-enc.avif': '40x20 orientation undefined Exif true, turned 40x20',
  'avifenc.avif': '20x40 orientation undefined Exif true, turned 20x40',
}
if (JSON.stringify(found) !== JSON.stringify(expected)) process.exit(1)
JS
node run.mjs
