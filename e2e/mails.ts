import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

export type Mail = { to: string; subject: string; text: string; html: string }

/** The .eml files of an outbox folder, oldest first. */
export async function readMails(folder: string): Promise<Mail[]> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
  const files = await Promise.all(
    names.map(async name => ({
      at: (await stat(join(folder, name))).mtimeMs,
      content: await readFile(join(folder, name)),
    })),
  )
  return Promise.all(files.sort((a, b) => a.at - b.at).map(({ content }) => parseMail(content)))
}

/** Parses an e-mail like a mail client. */
export async function parseMail(content: Buffer): Promise<Mail> {
  const { to = [], subject = '', text = '', html = '' } = await PostalMime.parse(content)
  return { to: to.map(({ name, address }) => `${name} <${address}>`).join(', '), subject, text, html }
}
