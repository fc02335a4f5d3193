import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { from: string; to: string; source: string; messageId: string; isEncrypted: boolean }

export type TestMailServer = {
  url: string
  port: number
  /** what was taken with a 250 */
  mails: ReceivedMail[]
  /** the passwords that somebody tried to log in with */
  logins: string[]
  close(): Promise<void>
}

type Options = {
  port?: number
  /** says no to a recipient with this answer; null: takes the mail */
  refuse?: (to: string) => { code: number; text: string } | null
  /** called with a whole mail before it is taken: an error refuses it, a promise that never ends answers nothing */
  beforeTaken?: (mail: ReceivedMail) => Promise<void>
  /** false: the connection is told to come later */
  accepts?: () => boolean
  /** offers STARTTLS with this certificate */
  encryption?: { key: string; cert: string }
  /** takes mails only from who logs in with this password */
  password?: string
}

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

/** A mail server that speaks SMTP on a port of its own. */
export async function startTestMailServer({
  port = 0,
  refuse = () => null,
  beforeTaken,
  accepts = () => true,
  encryption,
  password,
}: Options = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    ...encryption,
    closeTimeout: 50,
    disabledCommands: [...(encryption ? [] : ['STARTTLS']), ...(password ? [] : ['AUTH'])],
    onAuth({ password: given = '' }, _session, callback) {
      logins.push(given ?? '')
      callback(given === password ? null : new Error('wrong password'), { user: 'portal' })
    },
    onConnect: (_session, callback) =>
      callback(accepts() ? null : refusal({ code: 421, text: 'too many connections' })),
    onRcptTo({ address }, _session, callback) {
      const answer = refuse(address)
      callback(answer && refusal(answer))
    },
    async onData(stream, { envelope, secure }, callback) {
      // Whoever hangs up in the middle of a mail has sent none.
      const chunks = await stream.toArray().catch(() => null)
      if (chunks === null) return
      const source = Buffer.concat(chunks).toString('utf8')
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo[0]?.address ?? '',
        source,
        isEncrypted: secure,
        messageId: /^Message-ID: (.+)$/im.exec(source)?.[1]?.trim() ?? '',
      }
      await beforeTaken?.(mail)
      mails.push(mail)
      callback()
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: used } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${used}`,
    port: used,
    mails,
    logins,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
