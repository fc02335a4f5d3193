#!/usr/bin/env bash
# nodemailer 10.6.0 (npm) against a mail server without SMTPUTF8
# Expected: a recipient such as jörg@example.com is refused before it is sent, because the server has not offered SMTPUTF8
# (RFC 6531 section 3.1: without it the client must not transmit an internationalized address).
# Actual: RCPT TO:<jörg@example.com> goes out in raw UTF-8, without the parameter SMTPUTF8, and so do To and Reply-To of the
# header. If the server answers 250, sendMail resolves and lists the address as accepted. An umlaut in the domain is handled:
# it becomes xn--….
# Source: RFC 6531, sections 3.1 and 3.4; nodemailer, smtp-connection ("If the server supports SMTPUTF8 …": without the
# extension the keyword is left out, the address stays).
# Why it matters: a relay that takes the bytes bounces later, to an address that nobody reads: a registration or a booking
# counts as notified. Ask the person for another spelling while they type.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent nodemailer@10.6.0
cat >run.mjs <<'EOF'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'

/** Sends one e-mail to a server with these extensions; the commands of the envelope and what sendMail resolves to. */
async function send(to, extension) {
  const commands = []
  const server = createServer(socket => {
    let isData = false
    socket.write('220 mail.example ESMTP\r\n')
    socket.on('error', () => undefined).on('data', bytes => {
      for (const line of bytes.toString('utf8').split('\r\n').filter(Boolean)) {
        if (isData) {
          if (line !== '.') continue
          isData = false
          socket.write('250 queued\r\n')
        } else if (line.startsWith('EHLO')) socket.write(`250-mail.example\r\n250 ${extension}\r\n`)
        else if (line === 'DATA') {
          isData = true
          socket.write('354 go\r\n')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else {
          commands.push(line)
          socket.write('250 ok\r\n')
        }
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = createTransport({ host: '127.0.0.1', port: server.address().port, ignoreTLS: true, name: 'a.example' })
  const { accepted } = await transport.sendMail({ from: 'desk@a.example', to, subject: 'x', text: 'y' })
  server.close()
  console.log(`server offers ${extension}:`, commands.join(' '), 'accepted:', accepted.join())
  return commands.join()
}

const without = await send('jörg@example.com', '8BITMIME')
const offered = await send('jörg@example.com', 'SMTPUTF8')
const domain = await send('kim@müller.example', '8BITMIME')
const isAsBefore =
  without === 'MAIL FROM:<desk@a.example>,RCPT TO:<jörg@example.com>' &&
  offered === 'MAIL FROM:<desk@a.example> SMTPUTF8,RCPT TO:<jörg@example.com>' &&
  domain.endsWith('RCPT TO:<kim@xn--mller-kva.example>')
process.exit(isAsBefore ? 0 : 1)
EOF
npm ls | tail -n +2
node run.mjs
