import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../server/platform/config/config.ts'
import { renderMail } from '../../server/platform/outbox/letter.ts'
import type { MailKind } from '../../server/platform/outbox/mail-kinds.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { MAIL_SAMPLES } from '../../server/test/mail-samples.ts'
import { isInstalled, run } from './programs.ts'

/** Python's parser, for which every defect of a message is an error. */
const PARSER = `
import base64, email, email.policy, json, sys
policy = email.policy.SMTP.clone(raise_on_defect=True)
def read(source):
  message = email.message_from_bytes(base64.b64decode(source), policy=policy)
  return {
    'headers': [[name.lower(), str(value)] for name, value in message.items()],
    'defects': [str(one) for value in message.values() for one in value.defects],
    'types': [part.get_content_type() for part in message.walk()],
    'texts': [part.get_content() for part in message.walk() if part.get_content_maintype() == 'text'],
  }
print(json.dumps([read(source) for source in json.load(sys.stdin)]))`
type Parsed = { headers: [string, string][]; defects: string[]; types: string[]; texts: string[] }

const kinds = Object.keys(MAIL_SAMPLES) as MailKind[]
const cases = kinds.flatMap(kind => (['de', 'en'] as const).map(language => ({ kind, language })))
const UNSUBSCRIBE_URL = `https://sport.example/api/unsubscribe/1234567.waiting-news.${'a'.repeat(22)}`
const config = { ...readConfig({}), publicUrl: 'https://sport.example' }
const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

async function compose({ kind, language }: (typeof cases)[number]): Promise<Buffer> {
  const createdAt = new Date('2026-11-21T10:00:00Z')
  const mail = { id: 42, recipient: 'kim@demo.example', language, kind, payload: MAIL_SAMPLES[kind], createdAt }
  const { message } = await transport.sendMail(
    renderMail({ ...mail, name: 'Kim Öztürk' }, config, { unsubscribeUrl: UNSUBSCRIBE_URL }),
  )
  return message as Buffer
}

describe.skipIf(!isInstalled('python3'))('a strict e-mail parser finds no defect', () => {
  let sources: Buffer[]
  let read: Parsed[]
  beforeAll(async () => {
    sources = await Promise.all(cases.map(compose))
    const input = Buffer.from(JSON.stringify(sources.map(source => source.toString('base64'))))
    const { status, output } = run('python3', ['-c', PARSER], input)
    expect(status, output).toBe(0)
    read = JSON.parse(output)
  })

  test.each(cases.map((one, index) => ({ ...one, index })))(
    'in the e-mail $kind in $language',
    ({ language, index }) => {
      for (const line of sources[index]?.toString('latin1').split('\r\n') ?? []) {
        expect(line.length).toBeLessThanOrEqual(998)
        expect(line).not.toMatch(/[\r\n]/)
      }
      const { headers, defects, types, texts } = read[index] as Parsed
      expect(defects).toEqual([])
      const names = headers.map(([name]) => name)
      expect(names.length).toBe(new Set(names).size)
      expect(Object.fromEntries(headers)).toMatchObject({
        from: expect.stringMatching(/^Werksport <\S+@\S+>$/),
        to: expect.stringMatching(/^(?:Kim Öztürk <kim@demo\.example>|kim@demo\.example)$/),
        subject: expect.stringMatching(/\S/),
        date: expect.stringContaining('21 Nov 2026'),
        'message-id': expect.stringMatching(/^<\S+@\S+>$/),
        'mime-version': '1.0',
        'auto-submitted': 'auto-generated',
        'x-auto-response-suppress': 'All',
        'content-language': language,
        // One header line each, which mailbox providers read (RFC 8058).
        'list-unsubscribe': `<${UNSUBSCRIBE_URL}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      })
      expect(types).toEqual(['multipart/alternative', 'text/plain', 'text/html'])
      expect(texts[1]).toContain(`<html lang="${language}">`)
      for (const text of texts) expect(text).not.toMatch(/\uFFFD|Ã/)
    },
  )
})

describe.skipIf(!isInstalled('spamassassin'))('SpamAssassin', () => {
  test.each(['activation', 'booking', 'opening'] as const)('has no points for the e-mail %s', async kind => {
    const { status, output } = run('spamassassin', ['--local'], await compose({ kind, language: 'de' }))
    expect(status, output).toBe(0)
    const [, points = '', found = ''] =
      /^X-Spam-Status: \w+, score=(\S+).*?tests=([\w,\s]*?)\s+autolearn/ms.exec(output) ?? []
    // No server has received the e-mail.
    const hits = found.split(/[,\s]+/).filter(name => !/^(?:NO_RECEIVED|NO_RELAYS|HTML_MESSAGE)$/.test(name))
    expect(hits, points).toEqual([])
    expect(points).not.toBe('')
  })
})

describe.skipIf(!isInstalled('rspamd'))('rspamd', () => {
  let address: string
  let stop = async () => {}
  afterAll(() => stop())
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rspamd-'))
    address = `127.0.0.1:${await findFreePort()}`
    // Its own rules, without the plugins that look things up on the Internet.
    await writeFile(
      join(folder, 'rspamd.conf'),
      `lua = "$RULESDIR/rspamd.lua"
.include "$CONFDIR/actions.conf"
.include "$CONFDIR/groups.conf"
options { filters = ""; dns { nameserver = ["127.0.0.1:1"]; timeout = 0.1s; retransmits = 1; } disable_hyperscan = true;
  pidfile = "${folder}/pid"; control_socket = "${folder}/control mode=0600"; }
logging { type = "file"; filename = "${folder}/log"; }
worker "normal" { bind_socket = "${address}"; count = 1; }`,
    )
    const variables = ['DBDIR', 'RUNDIR'].flatMap(name => ['--var', `${name}=${folder}`])
    const child = spawn('rspamd', ['-i', '-f', '-c', join(folder, 'rspamd.conf'), ...variables], { stdio: 'ignore' })
    const exit = once(child, 'exit')
    stop = async () => {
      child.kill()
      await exit
      await rm(folder, { recursive: true })
    }
    await vi.waitFor(() => fetch(`http://${address}/ping`), 30_000)
  }, 40_000)

  test.each(cases)('finds no hidden text in the e-mail $kind in $language', async one => {
    const { status, output } = run('rspamc', ['-h', address, 'symbols'], await compose(one))
    expect(status, output).toBe(0)
    expect(output).toContain('Symbol: FROM_HAS_DN')
    expect(output).not.toMatch(/Symbol: (?:MANY_INVISIBLE_PARTS|ZERO_FONT|R_WHITE_ON_WHITE)/)
  })
})
