import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { mailFolderOf } from './folder.ts'

/** A mail ready to go. `id` is its number in the outbox. */
export type Letter = { id: number; message: SendMailOptions }

export type Transport = {
  /** Resolves when the mail is in other hands, or safe on the disk. @throws Error as nodemailer describes it */
  send(letter: Letter): Promise<void>
  close(): void
}

export type RefusalKind = 'unreachable' | 'later' | 'never'

/** What a failure means: the mail server is not there for any mail, or refuses this one for now or for good. */
export function judgeFailure(error: unknown): RefusalKind {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  const isAboutThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== 421
  if (!isAboutThisMail || responseCode === undefined) return 'unreachable'
  return responseCode >= 500 ? 'never' : 'later'
}

const TIMEOUT_MS = 30_000
const guards = { disableFileAccess: true, disableUrlAccess: true }

/** One connection, kept while there is something to send. */
function openSmtp(url: string): Transport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return {
    async send({ message }) {
      await transport.sendMail({ ...message, ...guards })
    },
    close: () => transport.close(),
  }
}

/** One file per mail, named by its number: written a second time it replaces itself, and it never stands there half. */
function openFolder(folder: string): Transport {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send({ id, message }) {
      const { message: content } = await transport.sendMail({ ...message, ...guards })
      await mkdir(folder, { recursive: true })
      const path = join(folder, `${String(id).padStart(8, '0')}.eml`)
      const draft = `${path}.${process.pid}.tmp`
      try {
        await writeFile(draft, content as Buffer, { mode: 0o600, flush: true })
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** Where mails go: to the server at SMTP_URL, or as files to DATA_DIR/outbox. */
export const openTransport = ({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Transport =>
  smtpUrl === null ? openFolder(mailFolderOf(dataDir)) : openSmtp(smtpUrl)
