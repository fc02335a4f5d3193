import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { factsOf } from '#server/errors/error-facts.ts'
import { mailFolderOf } from './folder.ts'

/** Mail ready to send. `id` is its number in the outbox. */
export type Letter = { id: number; message: SendMailOptions }

export type Transport = {
  /** maximum concurrent mails */
  connections: number
  /**
   * Resolves when the mail server has accepted the mail or the file is written. @param signal aborts the connection
   * @throws Error as documented by nodemailer
   */
  send(letter: Letter, signal: AbortSignal): Promise<void>
  close(): void
}

export type FailureKind = 'unreachable' | 'silent' | 'later' | 'never'

/** Classifies a failure: server unreachable, timeout, or mail refused temporarily or permanently. */
export function judgeFailure(error: unknown): FailureKind {
  const { code, command, responseCode } = factsOf(error)
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError' || (code === 'ETIMEDOUT' && command !== 'CONN')) return 'silent'
  const isAboutThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== 421
  if (!isAboutThisMail || responseCode === undefined) return 'unreachable'
  return responseCode >= 500 ? 'never' : 'later'
}

const CONNECTIONS = 16
const CONNECT_MS = 10_000
const ANSWER_MS = 30_000
/** Maximum concurrent file writes, each of which waits for fsync. */
const FILES_AT_ONCE = 4
const guards = { disableFileAccess: true, disableUrlAccess: true }

/** Opens connections on demand and reuses them while there are mails to send. Logins require TLS. */
function openSmtp(smtpUrl: string): Transport {
  const url = new URL(smtpUrl)
  const connections = Math.max(1, Math.floor(Number(url.searchParams.get('maxConnections'))) || CONNECTIONS)
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    // A connection lost before its mail was sent is retried once immediately; the outbox retries all other failures.
    maxRequeues: 1,
    requireTLS: url.protocol === 'smtp:' && url.username !== '',
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
  })
  return {
    connections,
    async send({ message }, signal) {
      await transport.sendMail({ ...message, ...guards, signal })
    },
    close: () => transport.close({ force: true }),
  }
}

/** Writes one file per mail, named by its number: atomic, and idempotent on retry. */
function openFolder(folder: string): Transport {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    connections: FILES_AT_ONCE,
    async send({ id, message }) {
      const { message: content } = await transport.sendMail({ ...message, ...guards })
      await mkdir(folder, { recursive: true, mode: 0o700 })
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

/** Transport for mails: the server at SMTP_URL, or files in DATA_DIR/outbox. */
export const openTransport = ({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Transport =>
  smtpUrl === null ? openFolder(mailFolderOf(dataDir)) : openSmtp(smtpUrl)
