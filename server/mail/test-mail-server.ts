import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { from: string; to: string; source: string; messageId: string }

export type TestMailServer = {
  url: string
  port: number
  /** what was taken with a 250 */
  mails: ReceivedMail[]
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
}

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

/** A mail server that speaks SMTP on a port of its own. */
export async function startTestMailServer({
  port = 0,
  refuse = () => null,
  beforeTaken,
  accepts = () => true,
}: Options = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect: (_session, callback) =>
      callback(accepts() ? null : refusal({ code: 421, text: 'too many connections' })),
    onRcptTo({ address }, _session, callback) {
      const answer = refuse(address)
      callback(answer && refusal(answer))
    },
    async onData(stream, { envelope }, callback) {
      // Whoever hangs up in the middle of a mail has sent none.
      const content = await buffer(stream).catch(() => null)
      if (content === null) return
      const source = content.toString('utf8')
      const mail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo[0]?.address ?? '',
        source,
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
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
