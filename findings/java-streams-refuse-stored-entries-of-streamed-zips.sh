#!/usr/bin/env bash
# java.util.zip of OpenJDK 17 (Debian default-jdk-headless) beside Python's zipfile; archive by yazl 3.3.1 (npm)
# Expected: a picture or document, which is packed already, is added to a ZIP file without compression while the file is written as a
# stream, so that size and checksum follow it in a data descriptor. APPNOTE has the descriptor for any method (only PKZIP 2.04g
# knew it for deflated entries alone), and Java reads the file.
# Actual: ZipInputStream refuses the entry: only DEFLATED entries can have EXT descriptor. ZipFile of the same package and
# zipfile, which begin with the directory at the end, read it. If the entry is compressed, each reads it.
# Source: PKWARE's APPNOTE.TXT, 4.4.4 (bit 3) and 4.3.9 (data descriptor); yazl's README, addReadStream (compress);
# ZipInputStream.readLOC of OpenJDK; pull request 98 of mholt/archiver, 137 of apache/commons-compress (the same error).
# Why it matters: exports with attachments are written by a server as a stream and read by another one as a stream. The same
# archive opens on each desk.
set -euo pipefail
command -v javac >/dev/null || apt-get install -y -qq --no-install-recommends default-jdk-headless >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent yazl@3.3.1
cat >make.mjs <<'JS'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
for (const [name, compress] of Object.entries({ 'stored.zip': false, 'compressed.zip': true })) {
  const zip = new ZipFile()
  zip.addReadStreamLazy('list.csv', { compress }, done => done(null, Readable.from([Buffer.from('name\n')])))
  zip.end()
  zip.outputStream.pipe(createWriteStream(name))
}
JS
cat >Read.java <<'JAVA'
import java.io.FileInputStream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

public class Read {
    public static void main(String[] files) throws Exception {
        try (var zip = new ZipInputStream(new FileInputStream(files[0]))) {
            System.out.println("ZipInputStream " + zip.getNextEntry().getName() + " " + zip.readAllBytes().length);
        } catch (ZipException error) {
            System.out.println("ZipInputStream " + error.getMessage());
        }
        try (var zip = new ZipFile(files[0])) {
            System.out.println("ZipFile list.csv " + zip.getInputStream(zip.getEntry("list.csv")).readAllBytes().length);
        }
    }
}
JAVA
javac Read.java
node make.mjs
npm ls | tail -n +2
java -version 2>&1 | head -1
found=$(for file in stored.zip compressed.zip; do
  echo "$file"
  java Read "$file"
  python3 -c 'import sys, zipfile
print("zipfile list.csv", len(zipfile.ZipFile(sys.argv[1]).read("list.csv")))' "$file"
done)
echo "$found"
[ "$found" = 'stored.zip
ZipInputStream only DEFLATED entries can have EXT descriptor
ZipFile list.csv 5
zipfile list.csv 5
compressed.zip
ZipInputStream list.csv 5
ZipFile list.csv 5
zipfile list.csv 5' ]
