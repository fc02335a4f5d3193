#!/usr/bin/env bash
# SpamAssassin 4.0.1 (Debian spamassassin), only its local rules
# Expected: white text in a table with the attribute bgcolor="#0d4f55" is read as white on dark green, as every mail program
# shows it. HTML e-mail has such attributes, because Outlook needs them.
# Actual: HTML_FONT_LOW_CONTRAST, 0.7 of 5 points. The attribute is parsed and then dropped, of <body>, too; only background-color
# and background in a style count, so that the text is taken for white on white. With both there is no hit.
# Source: Mail::SpamAssassin::HTML, html_tag(): the value of bgcolor is converted "below", where nothing takes it over any more;
# spamassassin.apache.org, tests of version 4.0 (HTML_FONT_LOW_CONTRAST).
# Why it matters: a coloured header is in each e-mail of a portal, and the points add up with those of a new domain. Previews
# and contrast checks show nothing, since every mail program knows the attribute.
set -euo pipefail
command -v spamassassin >/dev/null || apt-get install -y -qq --no-install-recommends spamassassin >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
hits() {
  printf 'From: sport@example.org\r\nTo: kim@example.org\r\nSubject: Yoga\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n' >"$folder/mail"
  printf '<html><body><table %s><tr><td><font color="#ffffff">Your course starts</font></td></tr></table></body></html>\r\n' "$1" >>"$folder/mail"
  HOME=$folder spamassassin --local <"$folder/mail" >"$folder/read" 2>/dev/null
  grep -q HTML_MESSAGE "$folder/read" || { cat "$folder/read"; exit 1; }
  grep -o HTML_FONT_LOW_CONTRAST "$folder/read" | sort -u || echo none
}
spamassassin --version | head -n 1
found="attribute: $(hits 'bgcolor="#0d4f55"')
style: $(hits 'style="background-color:#0d4f55"')
both: $(hits 'bgcolor="#0d4f55" style="background-color:#0d4f55"')"
echo "$found"
[ "$found" = 'attribute: HTML_FONT_LOW_CONTRAST
style: none
both: none' ]
