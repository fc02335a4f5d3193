#!/usr/bin/env bash
# opencsv 5.2 (Debian libopencsv-java) and PHP 8.2 (Debian php8.2-cli) beside Apache Commons CSV 1.9.0 (libcommons-csv-java), Python's
# csv and Ruby's csv
# Expected: in a CSV file a backslash is a letter like any other. RFC 4180 knows only the doubled quote, and so do Excel, LibreOffice
# and opencsv's own writer.
# Actual: a quoted cell that ends with a backslash, "\\server\notes\", does not end there for opencsv and PHP's fgetcsv: it swallows
# the next row up to a quote. If that row has such a cell as well, the joined row has the right number of cells, and nothing is
# reported: one person is missing. opencsv drops each backslash besides, so that DOMAIN\nora is DOMAINnora. The other
# three are right, and these two are with RFC4180Parser and with escape: ''.
# Source: RFC 4180, section 2; bug 217 of opencsv (its writer and its reader, closed as "wont-fix") and its class RFC4180Parser;
# php.net, fgetcsv (parameter escape, whose default is deprecated since PHP 8.4).
# Why it matters: lists from a company have shared folders and logins of a domain. Programs that quote each text write such
# cells, and a test with names and amounts is right in each reader. Java's and PHP's usual functions lose the people in between.
set -euo pipefail
command -v javac >/dev/null || apt-get install -y -qq --no-install-recommends default-jdk-headless >/dev/null
[ -e /usr/share/java/opencsv.jar ] || apt-get install -y -qq --no-install-recommends libopencsv-java >/dev/null
[ -e /usr/share/java/commons-csv.jar ] || apt-get install -y -qq --no-install-recommends libcommons-csv-java >/dev/null
command -v php8.2 >/dev/null || apt-get install -y -qq --no-install-recommends php8.2-cli >/dev/null
[ -x /usr/bin/ruby ] || apt-get install -y -qq --no-install-recommends ruby >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >people.csv <<'CSV'
login,folder,room
DOMAIN\nora,"\\server\notes\",Hall 1
DOMAIN\jens,"\\server\plans\",Hall 2
DOMAIN\cleo,none,Hall 3
CSV
cat >Read.java <<'JAVA'
import com.opencsv.CSVParserBuilder;
import com.opencsv.CSVReaderBuilder;
import com.opencsv.RFC4180ParserBuilder;
import java.io.FileReader;
import org.apache.commons.csv.CSVFormat;

public class Read {
    static void read(String reader, com.opencsv.ICSVParser parser) throws Exception {
        var rows = new CSVReaderBuilder(new FileReader("people.csv")).withCSVParser(parser).build().readAll();
        for (var row : rows.subList(1, rows.size())) System.out.println(reader + ": " + String.join(" | ", row).replace("\n", " / "));
    }
    public static void main(String[] none) throws Exception {
        read("opencsv", new CSVParserBuilder().build());
        read("opencsv RFC4180Parser", new RFC4180ParserBuilder().build());
        var rows = CSVFormat.DEFAULT.parse(new FileReader("people.csv")).getRecords();
        for (var row : rows.subList(1, rows.size())) System.out.println("Commons CSV: " + String.join(" | ", row));
    }
}
JAVA
java=/usr/share/java
jars=$java/opencsv.jar:$java/commons-csv.jar:$java/commons-lang3.jar:$java/commons-text.jar:$java/commons-beanutils.jar:$java/commons-collections4.jar:.
javac -nowarn -cp "$jars" Read.java
cat >read.php <<'PHP'
<?php
foreach (['PHP' => '\\', "PHP escape: ''" => ''] as $reader => $escape) {
    $file = fopen('people.csv', 'r');
    fgets($file);
    while ($row = fgetcsv($file, null, ',', '"', $escape)) echo $reader, ': ', strtr(implode(' | ', $row), ["\n" => ' / ']), "\n";
}
PHP
dpkg-query -W libopencsv-java libcommons-csv-java php8.2-cli
cat people.csv
found=$(
  java -cp "$jars" Read
  php8.2 read.php
  /usr/bin/python3 -c "import csv
for row in list(csv.reader(open('people.csv', newline='')))[1:]: print('Python:', ' | '.join(row))"
  /usr/bin/ruby -rcsv -e 'CSV.read("people.csv").drop(1).each { |row| puts "Ruby: #{row.join(" | ")}" }'
)
echo "$found"
right='DOMAIN\nora | \\server\notes\ | Hall 1
DOMAIN\jens | \\server\plans\ | Hall 2
DOMAIN\cleo | none | Hall 3'
for reader in 'opencsv RFC4180Parser' 'Commons CSV' "PHP escape: ''" Python Ruby; do
  [ "$(grep "^$reader: " <<<"$found" | cut -c $((${#reader} + 3))-)" = "$right" ]
done
[ "$(grep -E '^(opencsv|PHP): ' <<<"$found")" = 'opencsv: DOMAINnora | \servernotes",Hall 1 / DOMAINjens,serverplans" | Hall 2
opencsv: DOMAINcleo | none | Hall 3
PHP: DOMAIN\nora | \\server\notes\",Hall 1 / DOMAIN\jens,\\server\plans\" | Hall 2
PHP: DOMAIN\cleo | none | Hall 3' ]
