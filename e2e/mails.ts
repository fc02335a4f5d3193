import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type Mail = { to: string; subject: string; text: string; html: string }

/** The .eml files of an outbox folder, the oldest first. */
export async function readMails(folder: string): Promise<Mail[]> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
  const files = await Promise.all(
    names.map(async name => ({
      at: (await stat(join(folder, name))).mtimeMs,
      raw: await readFile(join(folder, name), 'latin1'),
    })),
  )
  return files.sort((a, b) => a.at - b.at).map(({ raw }) => parseMail(raw))
}

/** Reads what our own mails are made of: a text and an HTML part, quoted-printable or base64. */
export function parseMail(raw: string): Mail {
  const { headers, body } = split(raw)
  const parts = partsOf(headers, body)
  const find = (type: string) => parts.find(part => part.type.startsWith(type))?.content ?? ''
  return {
    to: decodeWords(headers.get('to') ?? ''),
    subject: decodeWords(headers.get('subject') ?? ''),
    text: find('text/plain'),
    html: find('text/html'),
  }
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n')
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const headers = new Map(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { headers, body: rest.join('\n\n') }
}

function partsOf(headers: Map<string, string>, body: string): { type: string; content: string }[] {
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (!boundary) return [{ type, content: decode(body, headers.get('content-transfer-encoding') ?? '') }]
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap(part => {
      const inner = split(part.replace(/^\n/, ''))
      return partsOf(inner.headers, inner.body)
    })
}

const bytesOfQuoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

function decode(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (/quoted-printable/i.test(encoding)) return bytesOfQuoted(body.replace(/=\n/g, '')).toString('utf8')
  return Buffer.from(body, 'latin1').toString('utf8')
}

/** Header words as in =?UTF-8?Q?Gr=C3=BC=C3=9Fe?= */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : bytesOfQuoted(text.replaceAll('_', ' ')).toString('utf8'),
    )
}
