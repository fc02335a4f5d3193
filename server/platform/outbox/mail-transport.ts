import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Language } from '#contract/values.ts'
import type { Config } from '#server/platform/config/config.ts'
import { trace } from '#server/platform/observability/trace.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { type MailAttachments, renderMail } from './letter.ts'
import { mailFolderOf } from './mail-folder.ts'
import type { MailKind, MailValues, OfficeReport } from './mail-kinds.ts'
import type { DueMail } from './outbox.ts'
import type { DeliveryResult, Transport } from './sender.ts'

type Carrier = {
  /** maximum number of e-mails sent concurrently */
  connections: number
  /**
   * Sends an e-mail. Resolves when the mail server has accepted it or the file has been written.
   * @param signal aborts the connection
   * @param onSubmitted called when the message has been transmitted, before the mail server's response
   * @throws Error as documented by nodemailer
   */
  send(id: number, message: SendMailOptions, signal: AbortSignal, onSubmitted: () => void): Promise<void>
  close(): void
}

/**
 * Classifies a failure: the server is unreachable or did not respond in time, or the e-mail was rejected temporarily or
 * permanently.
 * @param isSubmitted whether the whole e-mail had been transmitted
 */
function verdictOf(error: unknown, isSubmitted: boolean): 'unreachable' | 'silent' | 'unanswered' | 'later' | 'never' {
  const { code, command, responseCode } = errorFactsOf(error)
  if (isSubmitted && !responseCode) return 'unanswered'
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError' || (code === 'ETIMEDOUT' && command !== 'CONN')) return 'silent'
  const isAboutThisMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== 421
  if (!isAboutThisMail || responseCode === undefined) return 'unreachable'
  return responseCode >= 500 ? 'never' : 'later'
}

const CONNECTIONS = 16
const CONNECT_MS = 10_000
/**
 * Longest time in ms that RFC 5321, section 4.5.3.2 allows a mail server for one step. The sender aborts earlier steps
 * sooner.
 */
const STEP_MS = 600_000
/** Maximum number of files written concurrently, each of which waits for fsync. */
const FILES_AT_ONCE = 4
/**
 * A bounce goes to the mailbox in MAIL_FROM and returns only the headers (RFC 3461): the body may contain a password or
 * a link that works. nodemailer sends this to servers that support it.
 */
const BOUNCES = { dsn: { ret: 'HDRS' } } as const
const guards = { disableFileAccess: true, disableUrlAccess: true }

/** The name for EHLO (RFC 5321, section 4.1.1.1); null if the public address is no domain name. */
function greetingNameOf(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl)
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : null
}

/**
 * Opens an SMTP transport. Connections are opened on demand and reused while there are e-mails to send. Logins require
 * TLS.
 */
function openSmtp({ smtpUrl, publicUrl }: { smtpUrl: string; publicUrl: string }): Carrier {
  const url = new URL(smtpUrl)
  const submissions = new WeakMap<AbortSignal, () => void>()
  const greetingName = greetingNameOf(publicUrl)
  const connections = Math.max(1, Math.floor(Number(url.searchParams.get('maxConnections'))) || CONNECTIONS)
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    // If the connection is lost before an e-mail has been sent, sending is retried once immediately. The outbox handles
    // all other failures.
    maxRequeues: 1,
    requireTLS: url.protocol === 'smtp:' && url.username !== '',
    connectionTimeout: CONNECT_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    // nodemailer would greet with the address 127.0.0.1 if the machine's name has no dot, which some servers reject.
    ...(greetingName !== null && !url.searchParams.has('name') && { name: greetingName }),
  })
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc(content => content.once('end', () => data.signal && submissions.get(data.signal)?.()))
    done()
  })
  return {
    connections,
    async send(_, message, signal, onSubmitted) {
      submissions.set(signal, onSubmitted)
      await transport.sendMail({ ...message, ...guards, ...BOUNCES, signal })
    },
    close: () => transport.close({ force: true }),
  }
}

/**
 * Opens a transport that writes one file per e-mail to a folder. Files are written atomically and named by the e-mail's
 * number, so that retries are idempotent.
 */
function openFolder(folder: string): Carrier {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    connections: FILES_AT_ONCE,
    async send(id, message) {
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

/** Kinds of e-mails about one course to which its lessons are attached as a calendar file. */
const WITH_LESSONS: MailKind[] = ['booking', 'waiting-list', 'promotion']

/** Sources of what an e-mail contains only when it is sent. */
export type MailSources = {
  secrets: {
    /** @returns an empty object for an e-mail without a secret; null if the e-mail must no longer be sent */
    mint(mail: DueMail): Promise<Record<string, string> | null>
    forget(mail: DueMail): void
  }
  calendars: { getCourseCalendar(webUserId: number, courseIds: number[], language: Language): Promise<string | null> }
  findInvoicePdf(number: string): Promise<{ pdf: Buffer } | null>
  /** @returns null if the person may not see anything of it, or if it is empty */
  readOfficeReport(webUserId: number): Promise<OfficeReport | null>
  /** @returns null for an e-mail that people cannot unsubscribe from */
  findUnsubscribeUrl(mail: DueMail): Promise<string | null>
}

/**
 * Opens the mail transport. It sends e-mails to the server at SMTP_URL or, if this is not set, writes files to
 * DATA_DIR/outbox.
 */
export function openMailTransport(config: Config, sources: MailSources): Transport<'mail'> {
  const { secrets, calendars } = sources
  const { smtpUrl, dataDir } = config
  const carrier =
    smtpUrl === null ? openFolder(mailFolderOf(dataDir)) : openSmtp({ smtpUrl, publicUrl: config.publicUrl })

  /**
   * The lessons are read only when the e-mail is sent, so that an e-mail that has waited for a long time does not
   * contain outdated lessons.
   */
  const findCalendar = async ({ kind, webUserId, payload, language }: DueMail): Promise<string | null> => {
    const booked = WITH_LESSONS.includes(kind) && 'courseId' in payload ? [payload.courseId] : []
    const courseIds = ('changedCourseIds' in payload && payload.changedCourseIds) || booked
    return webUserId === null || courseIds.length === 0
      ? null
      : calendars.getCourseCalendar(webUserId, courseIds, language)
  }

  const findInvoice = async ({ payload }: DueMail): Promise<MailAttachments['invoice']> => {
    const number = 'invoice' in payload ? payload.invoice : undefined
    const found = number === undefined ? null : await sources.findInvoicePdf(number)
    return number === undefined || found === null ? null : { number, pdf: found.pdf }
  }

  const findReport = async ({ kind, webUserId }: DueMail): Promise<{ report?: OfficeReport } | null> => {
    if (kind !== 'office-report') return {}
    const report = webUserId === null ? null : await sources.readOfficeReport(webUserId)
    return report && { report }
  }

  return {
    channel: 'mail',
    concurrency: carrier.connections,
    perDestination: Number.POSITIVE_INFINITY,
    hasUrgentLane: carrier.connections > 1,
    async deliver(mail, signal, onSubmitted): Promise<DeliveryResult> {
      const secret = await secrets.mint(mail)
      const report = await findReport(mail)
      if (secret === null || report === null) return { verdict: 'obsolete' }
      const attached = {
        calendar: await findCalendar(mail),
        invoice: await findInvoice(mail),
        unsubscribeUrl: await sources.findUnsubscribeUrl(mail),
      }
      let message: SendMailOptions
      try {
        const payload = { ...mail.payload, ...secret, ...report } as MailValues[MailKind]
        message = renderMail({ ...mail, payload }, config, attached)
      } catch (error) {
        return { verdict: 'never', reason: 'cannot be written', facts: { err: error } }
      }
      let isSubmitted = false
      const submit = () => {
        isSubmitted = true
        onSubmitted()
      }
      try {
        const facts = { 'portal.mail_id': mail.id, 'portal.language': mail.language, 'portal.attempts': mail.attempts }
        await trace('mail', `mail ${mail.kind}`, facts, () => carrier.send(mail.id, message, signal, submit))
      } catch (error) {
        const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
        // Only codes are logged, because SMTP responses often contain the recipient's address.
        const { code, responseCode } = errorFactsOf(error)
        return { verdict: verdictOf(error, isSubmitted), reason, facts: { code, responseCode } }
      }
      secrets.forget(mail)
      return { verdict: 'sent' }
    },
    discard: mail => secrets.forget(mail),
    close: () => carrier.close(),
  }
}
