#!/usr/bin/env bash
# roo 2.10.0 (Debian ruby-roo), workbook written by exceljs 4.4.0 (npm)
# Expected: a cell with the plain text "Fit <b>und</b> froh" is read as this text.
# Actual: "<html>Fit <b>und</b> froh</html>". roo returns cells with bold or italic runs as HTML, and takes a text in which
# <b>, <i>, <u>, <sub> or <sup> stands for one of these. Texts with other tags, such as <p>, stay as they are.
# Source: roo's lib/roo/excelx/shared_strings.rb (use_html? looks for /<([biu]|sup|sub)>/ in the text; the option
# disable_html_wrapper: true ends it).
# Why it matters: course descriptions of web sites are HTML, and travel in lists of Excel. Read by roo some of them gain a
# tag that closes the page around them; it depends on whether somebody used bold in that text.
set -euo pipefail
ruby -e 'require "roo"' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-roo >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent exceljs@4.4.0
cat >write.cjs <<'JS'
const ExcelJS = require('exceljs')
const book = new ExcelJS.Workbook()
book.addWorksheet('list').addRow(['Fit <b>und</b> froh', '<p>Fit</p>', 'a < b', '<B>'])
book.xlsx.writeFile('list.xlsx')
JS
node write.cjs
npm ls | tail -n +2
cat >read.rb <<'RUBY'
require 'roo'
puts "roo #{Roo::VERSION}"
row = Roo::Spreadsheet.open('list.xlsx').row(1)
p row
exit row == ['<html>Fit <b>und</b> froh</html>', '<p>Fit</p>', 'a < b', '<B>']
RUBY
ruby read.rb
