import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  from: string
  to: string
  source: string
  messageId: string
  isEncrypted: boolean
  /** what a bounce returns: `HDRS` or `FULL` (RFC 3461) */
  returned: string | null | undefined
}

export type TestMailServer = {
  url: string
  port: number
  /** e-mails that were accepted with a 250 */
  mails: ReceivedMail[]
  /** names that clients sent with EHLO */
  greetings: Set<string>
  /** passwords of all login attempts */
  logins: string[]
  close(): Promise<void>
}

type Options = {
  port?: number
  /** rejects a recipient with this response; null: accepts the e-mail */
  refuse?: (to: string) => { code: number; text: string } | null
  /**
   * called with the complete mail before it is accepted; an error rejects it, and a promise that never settles leaves
   * it without a response
   * @param hangUp closes the connection
   */
  beforeTaken?: (mail: ReceivedMail, hangUp: () => void) => Promise<void>
  /** delay in ms before the greeting */
  greetAfterMs?: number
  /** false: the connection is rejected temporarily */
  accepts?: () => boolean
  /** offers STARTTLS with this certificate */
  encryption?: { key: string; cert: string }
  /** accepts e-mails only after a login with this password */
  password?: string
}

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

/** Starts an SMTP server on a port of its own. */
export async function startTestMailServer({
  port = 0,
  refuse = () => null,
  beforeTaken,
  accepts = () => true,
  greetAfterMs = 0,
  encryption,
  password,
}: Options = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = []
  const logins: string[] = []
  const greetings = new Set<string>()
  const sockets = new Map<string, Socket>()
  const server = new SMTPServer({
    authOptional: password === undefined,
    hideDSN: false,
    allowInsecureAuth: true,
    ...encryption,
    closeTimeout: 50,
    disabledCommands: [...(encryption ? [] : ['STARTTLS']), ...(password ? [] : ['AUTH'])],
    onAuth({ password: given = '' }, _session, callback) {
      logins.push(given ?? '')
      callback(given === password ? null : new Error('wrong password'), { user: 'portal' })
    },
    onConnect: (_session, callback) => {
      const answer = accepts() ? null : refusal({ code: 421, text: 'too many connections' })
      setTimeout(() => callback(answer), greetAfterMs)
    },
    onRcptTo({ address }, { hostNameAppearsAs }, callback) {
      if (hostNameAppearsAs) greetings.add(hostNameAppearsAs)
      const answer = refuse(address)
      callback(answer && refusal(answer))
    },
    async onData(stream, { envelope, secure, remotePort }, callback) {
      // If the connection is closed in the middle of an e-mail, no e-mail was sent.
      const chunks = await stream.toArray().catch(() => null)
      if (chunks === null) return
      const source = Buffer.concat(chunks).toString('utf8')
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo[0]?.address ?? '',
        source,
        isEncrypted: secure,
        returned: envelope.dsn?.ret,
        messageId: /^Message-ID: (.+)$/im.exec(source)?.[1]?.trim() ?? '',
      }
      await beforeTaken?.(mail, () => sockets.get(String(remotePort))?.destroy())
      mails.push(mail)
      callback()
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => void sockets.set(String(socket.remotePort), socket))
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: used } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${used}`,
    port: used,
    mails,
    logins,
    greetings,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
