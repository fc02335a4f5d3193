import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../server/platform/config/config.ts'
import { sql } from '../../server/platform/db/client.ts'
import { insertMail } from '../../server/platform/outbox/outbox.ts'
import { openTestDatabase } from '../../server/test/database.ts'
import { insertWebUser } from '../../server/test/factories.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { MAIL_SAMPLES } from '../../server/test/mail-samples.ts'
import { startMailSender } from '../../server/test/mail-sender.ts'
import { startTestMailServer } from '../../server/test/mail-server.ts'
import { isInstalled } from './programs.ts'

const isPossible = process.getuid?.() === 0 && isInstalled('postfix') && isInstalled('postconf')
/** Time in ms for which a new recipient is refused. */
const GREY_MS = 3_000
const MAILS = 12

/** Policy server of Postfix (SMTPD_POLICY_README) that greylists: it refuses each recipient until some time has passed. */
async function startGreylist() {
  const seen = new Map<string, number>()
  let refusals = 0
  const server = createServer(socket => {
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', part => {
      text += part
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const recipient = /^recipient=(.*)$/m.exec(text.slice(0, end))?.[1] ?? ''
        text = text.slice(end + 2)
        const since = seen.get(recipient) ?? Date.now()
        seen.set(recipient, since)
        const isGrey = Date.now() - since < GREY_MS
        if (isGrey) refusals += 1
        socket.write(`action=${isGrey ? 'defer_if_permit 4.2.0 Greylisted, see you later' : 'dunno'}\n\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, refusals: () => refusals }
}

/** Starts an instance of Postfix of its own, which accepts everything for demo.example and discards it by default. */
async function startPostfix(more: Record<string, string>) {
  // Not in TMPDIR: the account of Postfix cannot enter the private folder of a test run.
  const folder = await mkdtemp('/tmp/postfix-')
  await chmod(folder, 0o755)
  const port = await findFreePort()
  const log = join(folder, 'mail.log')
  await mkdir(join(folder, 'queue'))
  await mkdir(join(folder, 'data'))
  execFileSync('chown', ['postfix', join(folder, 'data')])
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    maillog_file: log,
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mail.demo.example',
    mydestination: 'demo.example',
    local_recipient_maps: '',
    local_transport: 'discard:',
    header_checks: `regexp:${join(folder, 'header_checks')}`,
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_helo_required: 'yes',
    smtpd_helo_restrictions: 'reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname',
    ...more,
  }
  // Writes these headers to the log.
  await writeFile(join(folder, 'header_checks'), '/^List-Unsubscribe/ INFO\n')
  await writeFile(
    join(folder, 'main.cf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  )
  const services = (
    await readFile('/etc/postfix/master.cf.proto', 'utf8').catch(() => readFile('/etc/postfix/master.cf', 'utf8'))
  )
    .replace(/^smtp\s+inet\s.*$/m, `${port} inet n - n - - smtpd`)
    .replace(/^(\S+\s+unix\s+\S+\s+\S+\s+)y/gm, '$1n')
  await writeFile(join(folder, 'master.cf'), services)
  execFileSync('postfix', ['-c', folder, 'start'], { stdio: 'pipe' })
  onTestFinished(async () => {
    execFileSync('postfix', ['-c', folder, 'stop'], { stdio: 'pipe' })
    await rm(folder, { recursive: true, force: true })
  })
  return { url: `smtp://127.0.0.1:${port}`, log: () => readFile(log, 'utf8').catch(() => '') }
}

test.skipIf(!isPossible)(
  'a Postfix that greylists gets each e-mail once, after it has refused it, with the headers to unsubscribe',
  {
    timeout: 180_000,
  },
  async () => {
    const { db } = await openTestDatabase()
    const greylist = await startGreylist()
    const postfix = await startPostfix({
      smtpd_recipient_restrictions: `check_policy_service inet:127.0.0.1:${greylist.port}`,
    })
    const person = await insertWebUser(db)
    for (let number = 1; number <= MAILS; number += 1)
      await insertMail(db, {
        webUserId: person.id,
        kind: 'opening',
        payload: MAIL_SAMPLES.opening,
        recipient: `person${number}@demo.example`,
      } as never)
    const config = { ...readConfig({}), smtpUrl: postfix.url, publicUrl: 'https://sport.example' }
    const sender = startMailSender({ db, config, log: pino({ level: 'silent' }) }, { idleMs: 50 })
    onTestFinished(() => sender.stop())
    const count = async (what: string) =>
      (await db.one<{ count: number }>(sql`select count(*)::int as count from mails where ${sql.raw(what)}`)).count
    await vi.waitFor(
      async () =>
        expect(
          (
            await db.one<{ count: number }>(
              sql`select count(*)::int as count from outbox where last_error <> '' and sent_at is null`,
            )
          ).count,
        ).toBe(MAILS),
      {
        timeout: 60_000,
      },
    )
    expect(greylist.refusals()).toBe(MAILS)
    // The first pause is a minute.
    await new Promise(resolve => setTimeout(resolve, GREY_MS))
    await db.execute(sql`update mails set due_at = clock_timestamp() where sent_at is null`)
    await vi.waitFor(async () => expect(await count('sent_at is not null')).toBe(MAILS), { timeout: 60_000 })
    await vi.waitFor(async () => expect((await postfix.log()).match(/status=sent/g)).toHaveLength(MAILS), {
      timeout: 20_000,
    })
    const headers = [...(await postfix.log()).matchAll(/info: header (List-Unsubscribe\S*): (\S+) from /g)]
    const valuesOf = (name: string) => headers.filter(found => found[1] === name).map(([, , value]) => value)
    const link = expect.stringMatching(/^<https:\/\/sport\.example\/api\/unsubscribe\/\d+\.opening\.[\w-]{22}>$/)
    expect(valuesOf('List-Unsubscribe')).toEqual(Array(MAILS).fill(link))
    expect(valuesOf('List-Unsubscribe-Post')).toEqual(Array(MAILS).fill('List-Unsubscribe=One-Click'))
  },
)

test.skipIf(!isPossible)(
  'a bounce of Postfix returns the headers alone, not the password or link in the e-mail',
  { timeout: 60_000 },
  async () => {
    const { db } = await openTestDatabase()
    const mailbox = await startTestMailServer({
      refuse: to => (to.startsWith('gone@') ? { code: 550, text: '5.1.1 no such mailbox' } : null),
    })
    onTestFinished(() => mailbox.close())
    const postfix = await startPostfix({ local_transport: `smtp:[127.0.0.1]:${mailbox.port}` })
    const { id: webUserId } = await insertWebUser(db)
    const mail = { webUserId, kind: 'password-reset', payload: {}, recipient: 'gone@demo.example' } as const
    await insertMail(db, mail as never)
    const config = { ...readConfig({}), smtpUrl: postfix.url, publicUrl: 'https://sport.example' }
    const sender = startMailSender({ db, config, log: pino({ level: 'silent' }) }, { idleMs: 50 })
    onTestFinished(() => sender.stop())
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), { timeout: 30_000 })
    const [bounce] = mailbox.mails
    expect(bounce).toMatchObject({ from: '', to: 'werksport@demo.example' })
    expect(bounce?.source).toContain('Content-Type: message/delivery-status')
    expect(bounce?.source).toContain('Final-Recipient: rfc822; gone@demo.example')
    expect(bounce?.source).toContain('Content-Type: text/rfc822-headers')
    expect(bounce?.source).toMatch(/^Subject: .*Passwort/m)
    expect(bounce?.source).not.toContain('Guten Tag')
  },
)
