#!/usr/bin/env bash
# csv 3.2.2 of Ruby 3.1 (Debian ruby)
# Expected: CSV.table, or converters: :numeric, reads numbers as people write them. A post code or personnel number with a zero in
# front may lose its zero, as in spreadsheets.
# Actual: 01067 (Dresden) is 567, 04109 (Leipzig) is the number 4109.0, and the personnel number 00210 is 136: digits after a zero are
# octal, and with an 8 or 9 among them the cell is a Float instead. Nothing is reported, and the type changes from row to row.
# Rooms that look like other forms of numbers go the same way: 0x10 is 16, 1_2 is 12.
# Source: docs.ruby-lang.org, CSV ("Built-in Field Converters": :integer converts what Integer() accepts) and Kernel#Integer (a
# string with a leading 0 is octal); issue 589 of everypolitician-data (identifiers of members became other ones).
# Why it matters: a lost zero can be written again, since German post codes have five digits. 567 leads nowhere, and 136 is the
# personnel number of somebody else, who gets the entry. A test with Munich (80331) and Hanover (30159) is right.
set -euo pipefail
[ -x /usr/bin/ruby ] || apt-get install -y -qq --no-install-recommends ruby >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >people.csv <<'CSV'
city,zip,number,room
Dresden,01067,00210,0x10
Leipzig,04109,00136,1_2
Munich,80331,4711,12
CSV
cat >read.rb <<'RUBY'
require 'csv'
puts "Ruby #{RUBY_VERSION}, csv #{CSV::VERSION}"
CSV.table('people.csv').each { |row| puts row.fields.map(&:inspect).join(' ') }
RUBY
cat people.csv
found=$(/usr/bin/ruby read.rb)
echo "$found"
[ "$(tail -n +2 <<<"$found")" = '"Dresden" 567 136 16
"Leipzig" 4109.0 94 12
"Munich" 80331 4711 12' ]
