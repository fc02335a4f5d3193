#!/usr/bin/env bash
# sharp 0.35.5 (prebuilt) with a HEIC picture as phones make them; the picture is made by libheif's heif-enc (Debian 12).
# Expected: a picture whose metadata() succeeds can be read; a format that is not supported is refused there.
# Seen: metadata() describes it (heif, hevc, width, height), and sharp.format.heif lists heif as readable; every use of the
#   pixels (jpeg, resize, stats) fails with "Support for this compression format has not been built in: HEVC".
# Matters: uploads are usually checked by metadata(), which needs no decoding. A photo of a certificate from a phone passes
#   the check and fails later, when its preview or thumbnail is made.
# Source: sharp.pixelplumbing.com, "Install" (prebuilt libvips has AVIF only); metadata() documentation.
set -euo pipefail
command -v heif-enc >/dev/null || apt-get install -y -qq libheif-examples >/dev/null
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund sharp@0.35.5
cat > make.mjs <<'JS'
import sharp from 'sharp'
await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } }).png().toFile('photo.png')
JS
node make.mjs
heif-enc -q 50 photo.png -o photo.heic >/dev/null 2>&1
cat > run.mjs <<'JS'
import sharp from 'sharp'
const { format, compression, width, height } = await sharp('photo.heic').metadata()
const failure = await sharp('photo.heic').jpeg().toBuffer().then(() => 'none', error => error.message.split('\n').at(-1))
console.log(`metadata: ${format}, ${compression}, ${width} × ${height}; heif is readable: ${sharp.format.heif.input.file}`)
console.log(`as JPEG: ${failure}`)
process.exit(format === 'heif' && compression === 'hevc' && sharp.format.heif.input.file && failure.includes('HEVC') ? 0 : 1)
JS
node run.mjs
