#!/usr/bin/env bash
# pdfkit 0.19.1 (npm) with the font Roboto of pdfmake 0.3.11, checked by PDFBox Preflight 2.0.27 (Debian libpdfbox2-java)
# Expected: subset: 'PDF/A-1b' gives a valid PDF/A-1b file whatever its title is; a title is a text.
# Actual: with the title "Kurse & Preise" the XMP metadata is no XML, because pdfkit writes title, author, subject and keywords into it
# as they are: Preflight refuses the file (error 7.1), which is valid with "Kurse und Preise". poppler reports
# nothing and shows the right title. Escaping it before does not help: the XMP is right then, but the other place of the title
# (Info), which must be the same in PDF/A (error 7.2), has the escape, and readers show "Kurse &amp; Preise".
# Source: XMP (ISO 16684-1, 7.2: serialized as RDF/XML); ISO 19005-1, 6.7.2 and 6.7.3 (metadata, consistency with Info);
# _addInfo in pdfkit's lib/mixins/metadata.js.
# Why it matters: archives and authorities take invoices and certificates as PDF/A or PDF/UA only. Titles are names of courses and
# companies ("Yoga & Pilates", "Meier & Söhne"), and a test has a harmless one. Escape the title while _addInfo runs, and only then.
set -euo pipefail
jars=/usr/share/java
[ -e "$jars/preflight.jar" ] && [ -e "$jars/jaxb-api.jar" ] && [ -e "$jars/commons-io.jar" ] ||
  apt-get install -y -qq --no-install-recommends libpdfbox2-java libcommons-io-java libjaxb-api-java >/dev/null
command -v javac >/dev/null || apt-get install -y -qq --no-install-recommends default-jdk-headless >/dev/null
command -v pdfinfo >/dev/null || apt-get install -y -qq --no-install-recommends poppler-utils >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts pdfkit@0.19.1 pdfmake@0.3.11
cat >write.cjs <<'JS'
const { createWriteStream } = require('node:fs')
const Kit = require('pdfkit')
function write(name, Title) {
  const pdf = new Kit({ pdfVersion: '1.4', subset: 'PDF/A-1b', info: { Title } })
  pdf.pipe(createWriteStream(name))
  pdf.font(require.resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf')).text('Yoga 45')
  pdf.end()
}
write('plain.pdf', 'Kurse und Preise')
write('ampersand.pdf', 'Kurse & Preise')
write('escaped.pdf', 'Kurse &amp; Preise')
JS
cat >Check.java <<'JAVA'
import java.io.File;
import org.apache.pdfbox.preflight.PreflightDocument;
import org.apache.pdfbox.preflight.parser.PreflightParser;

public class Check {
    public static void main(String[] files) throws Exception {
        var parser = new PreflightParser(new File(files[0]));
        parser.parse();
        try (PreflightDocument document = parser.getPreflightDocument()) {
            document.validate();
            var codes = new java.util.TreeSet<String>();
            document.getResult().getErrorsList().forEach(error -> codes.add(error.getErrorCode()));
            System.out.println(document.getResult().isValid() ? "valid PDF/A-1b" : "not valid: " + codes);
        }
    }
}
JAVA
node write.cjs
path=$jars/preflight.jar:$jars/pdfbox2.jar:$jars/xmpbox.jar:$jars/fontbox2.jar:$jars/commons-logging.jar:$jars/commons-io.jar:$jars/javax.activation.jar:$jars/jaxb-api.jar:.
javac -cp "$path" Check.java
npm ls | tail -n +2
dpkg-query -W libpdfbox2-java poppler-utils
check() { java -cp "$path" Check "$1" 2>/dev/null; }
title() { pdfinfo "$1" | sed -n 's/^Title: *//p'; }
for name in plain ampersand escaped; do echo "$name.pdf: $(check "$name.pdf"), shown as: $(title "$name.pdf")"; done
[ "$(check plain.pdf)" = 'valid PDF/A-1b' ]
[ "$(check ampersand.pdf)" = 'not valid: [7.1]' ]
[ "$(check escaped.pdf)" = 'not valid: [7.2]' ]
[ "$(title ampersand.pdf)" = 'Kurse & Preise' ]
[ "$(title escaped.pdf)" = 'Kurse &amp; Preise' ]
