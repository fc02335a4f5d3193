#!/usr/bin/env bash
# yazl 3.3.1, unzipper 0.12.5 and fflate 0.8.3 (npm), java.util.zip of OpenJDK 17 (Debian default-jdk-headless) and Python's zipfile
# Expected: a file that is packed already, such as a document or a picture, is added to a ZIP file without compression, and comes
# out as it went in.
# Actual: written as a stream, its size and checksum follow it in a data descriptor, and stored bytes have no end of their own.
# Java's ZipInputStream refuses the entry. unzipper and fflate look for the next signature: of an Office document, which is a
# ZIP file itself, unzipper returns the first part only, followed by the document's other part as a file of the archive, and
# without the file after it; fflate returns too many bytes. Neither reports anything. Readers that begin at the directory at the end
# (zipfile) are right, and so is each of them if the entry is compressed, which marks its end.
# Source: PKWARE's APPNOTE.TXT, 4.4.4 (bit 3) and 4.3.9 (data descriptor); yazl's README, addReadStream (compress);
# ZipInputStream.readLOC of OpenJDK.
# Why it matters: exports with attachments are written by a server as a stream and read by another one as a stream. Pictures and
# PDF files of a test are right in most readers; the first form in Word arrives in pieces.
set -euo pipefail
command -v javac >/dev/null || apt-get install -y -qq --no-install-recommends default-jdk-headless >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent yazl@3.3.1 unzipper@0.12.5 fflate@0.8.3
cat >make.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
function pack(entries, compress) {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries))
    zip.addReadStreamLazy(name, { compress, mtime: new Date(2026, 0, 1) }, done => done(null, Readable.from([content])))
  zip.end()
  return buffer(zip.outputStream)
}
const form = await pack({ 'word/document.xml': Buffer.from('<text/>'), 'word/styles.xml': Buffer.from('<styles/>') }, true)
const files = { 'form.docx': form, 'list.csv': Buffer.from('name\n') }
writeFileSync('stored.zip', await pack(files, false))
writeFileSync('compressed.zip', await pack(files, true))
console.log(`form.docx has ${form.length} bytes, list.csv has 5`)
JS
cat >read.mjs <<'JS'
import { createReadStream, readFileSync } from 'node:fs'
import { Unzip, UnzipInflate } from 'fflate'
import unzipper from 'unzipper'
const [, , file] = process.argv
for await (const entry of createReadStream(file).pipe(unzipper.Parse({ forceStream: true })))
  console.log('unzipper', entry.path, (await entry.buffer()).length)
const reader = new Unzip(entry => {
  let length = 0
  entry.ondata = (error, data, isLast) => {
    if (error) throw error
    length += data.length
    if (isLast) console.log('fflate', entry.name, length)
  }
  entry.start()
})
reader.register(UnzipInflate)
reader.push(readFileSync(file), true)
JS
cat >Read.java <<'JAVA'
import java.io.FileInputStream;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

public class Read {
    public static void main(String[] files) throws Exception {
        try (var zip = new ZipInputStream(new FileInputStream(files[0]))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry())
                System.out.println("Java " + entry.getName() + " " + zip.readAllBytes().length);
        } catch (ZipException error) {
            System.out.println("Java " + error.getMessage());
        }
    }
}
JAVA
javac Read.java
node make.mjs | tee made.txt
size=$(sed 's/form.docx has \([0-9]*\) .*/\1/' made.txt)
npm ls | tail -n +2
java -version 2>&1 | head -1
read_with_all() {
  java Read "$1"
  node read.mjs "$1"
  python3 -c 'import sys, zipfile
for entry in zipfile.ZipFile(sys.argv[1]).infolist(): print("zipfile", entry.filename, entry.file_size)' "$1"
}
stored=$(read_with_all stored.zip)
compressed=$(read_with_all compressed.zip)
printf '%s\n' "$stored" '' "$compressed"
[ "$compressed" = "$(for reader in Java unzipper fflate zipfile; do printf '%s\n' "$reader form.docx $size" "$reader list.csv 5"; done)" ]
grep -qx 'Java only DEFLATED entries can have EXT descriptor' <<<"$stored"
grep -q '^unzipper form.docx' <<<"$stored" && ! grep -qx "unzipper form.docx $size" <<<"$stored"
grep -q '^unzipper word/styles.xml' <<<"$stored" && ! grep -q '^unzipper list.csv' <<<"$stored"
grep -q '^fflate form.docx' <<<"$stored" && ! grep -qx "fflate form.docx $size" <<<"$stored"
grep -qx "zipfile form.docx $size" <<<"$stored"
