#!/usr/bin/env bash
# Squid 5.7 (Debian squid) before an origin whose pages have an ETag and `Cache-Control: no-cache`
# Expected: the origin confirms a stored page with 304. Squid then passes on what the 304 sets (RFC 9111, 3.2: its header
# fields replace the stored ones), and answers 304 to a client that has the page already and says so (RFC 9111, 4.3.2).
# Actual: the Set-Cookie of the 304 reaches nobody, and a client that sends the same If-None-Match gets 200 with the whole
# page. Each is right as soon as the origin adds `private`, because Squid then stores nothing and only passes on.
# Source: src/client_side_reply.cc of Squid (buildReplyHeader deletes Set-Cookie from every hit, and a revalidated page is
# one; handleIMSReply compares only If-Modified-Since), RFC 9111.
# Why it matters: an application that gives the cookie of its protection against forged requests with any page refuses the
# login of everybody but the first visitor, only behind this proxy; pages that every visit revalidates cost their
# whole size, although the origin answers without a body.
set -euo pipefail
command -v squid >/dev/null || apt-get install -y -qq --no-install-recommends squid >/dev/null
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT
chmod 777 "$folder"
cd "$folder"
squid --version | head -n 1
cat >origin.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
let visits = 0
createServer(({ url, headers }, response) => {
  const isKnown = headers['if-none-match'] === '"one"'
  response.writeHead(isKnown ? 304 : 200, {
    ETag: '"one"',
    'Cache-Control': url === '/private' ? 'private, no-cache' : 'no-cache',
    'Set-Cookie': `visit=${++visits}`,
    'Content-Type': 'text/plain',
  })
  response.end(isKnown ? undefined : 'the page')
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port))
})
JS
node origin.mjs &
until [ -s port ]; do sleep 0.1; done
port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
cat >squid.conf <<CONF
http_port 127.0.0.1:$port accel defaultsite=origin.example
cache_peer 127.0.0.1 parent $(cat port) 0 no-query originserver
http_access allow all
pinger_enable off
pid_filename none
access_log none
cache_log $folder/cache.log
coredump_dir $folder
CONF
squid -N -f squid.conf >/dev/null 2>&1 &
for _ in $(seq 100); do curl -sf -o /dev/null "http://127.0.0.1:$port/ready" && break || sleep 0.2; done
# The answer to a client: status, size of the body, whether it sets a cookie.
get() { curl -s -D head -o body -w '%{http_code} %{size_download}' "$@" && grep -qi '^set-cookie' head && echo ' cookie' || echo ' no cookie'; }
for path in shared private; do
  url="http://127.0.0.1:$port/$path"
  echo "$path: first $(get "$url"), second $(get "$url"), who has it $(get -H 'If-None-Match: "one"' "$url")"
done | tee found
diff found - <<'EXPECTED'
shared: first 200 8 cookie, second 200 8 no cookie, who has it 200 8 no cookie
private: first 200 8 cookie, second 200 8 cookie, who has it 304 0 cookie
EXPECTED
