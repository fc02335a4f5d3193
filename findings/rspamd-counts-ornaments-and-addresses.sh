#!/usr/bin/env bash
# rspamd 3.4 (Debian rspamd), its own rules without plugins and network
# Expected: the coloured line and the button of a usual HTML e-mail cost no points: a row of 4 px (font-size:0; line-height:4px,
# as guides for HTML e-mail write it, with &nbsp; because Outlook drops empty cells), and below a button its address once more, as
# text, for readers whose program does not open it.
# Actual: the line is hidden text (ZERO_FONT and MANY_INVISIBLE_PARTS, more with each such row); with font-size:1px there is none. The
# address as text is found as a further link, so that plain text, button and address are three: URI_COUNT_ODD, a whole
# point. It counts only if multipart/alternative is the outermost part: with an attachment the same e-mail has none.
# Source: /usr/share/rspamd/rules/html.lua (a cell with content of size 0), misc.lua (URI_COUNT_ODD: plain text and HTML are expected to have
# the same links).
# Why it matters: mailcow and many providers ask rspamd; from 4 points on a first e-mail is put off, from 6 on marked. Mails about a
# new password have no attachment, so that they have more points than those about a booking, and a test with one kind of
# mail or with SpamAssassin is green.
set -euo pipefail
command -v rspamd >/dev/null || apt-get install -y -qq --no-install-recommends rspamd >/dev/null
folder=$(mktemp -d)
port=$(python3 -c 'import socket; server = socket.socket(); server.bind(("127.0.0.1", 0)); print(server.getsockname()[1])')
cat >"$folder/rspamd.conf" <<CONF
lua = "\$RULESDIR/rspamd.lua"
.include "\$CONFDIR/actions.conf"
.include "\$CONFDIR/groups.conf"
options { filters = ""; dns { nameserver = ["127.0.0.1:1"]; timeout = 0.1s; retransmits = 1; } disable_hyperscan = true;
  pidfile = "$folder/pid"; control_socket = "$folder/control mode=0600"; }
logging { type = "file"; filename = "$folder/log"; }
worker "normal" { bind_socket = "127.0.0.1:$port"; count = 1; }
CONF
timeout 120 rspamd -i -f -c "$folder/rspamd.conf" --var DBDIR="$folder" --var RUNDIR="$folder" >"$folder/out" 2>&1 &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$folder"' EXIT
for _ in $(seq 100); do
  (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
  sleep 0.2
done
cat >"$folder/make.py" <<'PY'
import sys
from email.message import EmailMessage
form, folder = sys.argv[1:]
url = 'https://sport.example.com/activate/1234'
line = '<tr><td style="height:4px;line-height:4px;font-size:%s">&nbsp;</td></tr>' % ('0' if form == 'line' else '1px')
address = f'<tr><td>{url}</td></tr>' if form in ('address', 'attached') else ''
mail = EmailMessage()
for name, value in {'From': 'Sport <sport@example.com>', 'To': 'kim@example.org', 'Subject': 'Your account',
                    'Date': 'Mon, 30 Nov 2026 08:00:00 +0000', 'Message-ID': '<1@example.com>'}.items():
    mail[name] = value
mail.set_content(f'Your account is waiting for you. Open it: {url}\n')
mail.add_alternative(f'''<html><body><table>{line}<tr><td>Your account is waiting for you.</td></tr>
<tr><td><a href="{url}">Open it</a></td></tr>{address}</table></body></html>''', subtype='html')
if form == 'attached':
    mail.add_attachment('BEGIN:VCALENDAR', subtype='calendar', filename='lessons.ics')
open(f'{folder}/{form}.eml', 'wb').write(mail.as_bytes())
PY
dpkg-query -W rspamd
found=$(for form in plain line address attached; do
  python3 "$folder/make.py" $form "$folder"
  rspamc -h "127.0.0.1:$port" symbols "$folder/$form.eml" >"$folder/answer"
  grep -q 'Symbol: FROM_HAS_DN' "$folder/answer"
  echo "$form: $(grep -oE '(MANY_INVISIBLE_PARTS|ZERO_FONT|URI_COUNT_ODD) \([0-9.]+\)' "$folder/answer" | sort | paste -sd' ')"
done)
echo "$found"
[ "$found" = 'plain: 
line: MANY_INVISIBLE_PARTS (0.05) ZERO_FONT (0.10)
address: URI_COUNT_ODD (1.00)
attached: ' ]
