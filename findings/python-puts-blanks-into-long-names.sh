#!/usr/bin/env bash
# Python 3.11.2 (Debian python3), message by nodemailer 10.6.0, read beside it with postal-mime 4.0.0 (npm) and Ruby's mail 2.7.1
# (Debian ruby-mail)
# Expected: a recipient "Henriette Hohenlohe-Langenburg-Öhringen" has this name in any reader. It needs two encoded words, and the
# fold between two of them is ignored.
# Actual: the parser of Python 3.11 (email.policy.default) returns "Hohenlohe-Langenburg-Öhri ngen": a blank wherever two encoded
# words of an address meet, in the middle of a name, or two blanks between names. The subject of the same message is right, and
# so is the address with the old functions (decode_header). postal-mime and Ruby's mail are right. No defect is reported.
# Source: RFC 2047, 6.2 (white space between adjacent encoded words is ignored); issue 128110 of CPython (mended after 3.11);
# docs.python.org, email.policy.default ("all new code").
# Why it matters: ticket systems and importers in Python make contacts of these names, and find nobody of that name. Short names
# fit into one encoded word, so that tests with Müller and Öztürk are green. Compare people by the address, never by the name.
set -euo pipefail
command -v python3 >/dev/null || apt-get install -y -qq --no-install-recommends python3 >/dev/null
python=/usr/bin/python3
ruby -e 'require "mail"' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-mail >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent nodemailer@10.6.0 postal-mime@4.0.0
cat >write.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
const name = 'Henriette Hohenlohe-Langenburg-Öhringen'
const mail = { from: 'sport@example.com', to: { name, address: 'h@example.com' }, subject: `For ${name} and others`, text: 'Hello' }
const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
writeFileSync('message.eml', message)
console.log(/^To:.*\r?\n(?: .*\r?\n)*/m.exec(message.toString())[0].trim())
console.log('postal-mime:', (await PostalMime.parse(message)).to[0].name)
JS
cat >read.py <<'PY'
import email, email.policy, sys
from email.header import decode_header, make_header
with open('message.eml', 'rb') as file:
    source = file.read()
message = email.message_from_bytes(source, policy=email.policy.default)
address = message['to'].addresses[0]
print('Python:', address.display_name)
print('Python, subject:', message['subject'])
print('Python, old functions:', make_header(decode_header(email.message_from_bytes(source)['to'])))
assert not message['to'].defects
PY
npm ls | tail -n +2
dpkg-query -W python3 ruby-mail
found=$(
  node write.mjs
  "$python" read.py
  ruby -rmail -e 'puts "Ruby: " + Mail.read("message.eml")[:to].addrs.first.display_name'
)
echo "$found"
has() { grep -qxF "$1" <<<"$found"; }
has 'Python: Henriette Hohenlohe-Langenburg-Öhri ngen'
has 'Python, subject: For Henriette Hohenlohe-Langenburg-Öhringen and others'
has 'Python, old functions: Henriette Hohenlohe-Langenburg-Öhringen <h@example.com>'
has 'postal-mime: Henriette Hohenlohe-Langenburg-Öhringen'
has 'Ruby: Henriette Hohenlohe-Langenburg-Öhringen'
