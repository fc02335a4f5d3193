/** An e-mail address, or a word long and mixed enough to be a token. */
const PERSONAL = /[^\s@/:"'<>]+@[^\s@/:"'<>]+\.\w+|[\w-]{32,}/g
/** What follows the name of a password: browsers quote the text they cannot read. */
const PASSWORD = /(passwor[dt]["']?\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|\S+)/gi

/** What an app reports about its error, without what could name a person or open a session: addresses, tokens, passwords, queries. */
export function withoutPersonalData(text: string, maxLength: number): string {
  return text
    .replace(/\?[^\s)]*/g, '')
    .replace(PASSWORD, '$1…')
    .replace(PERSONAL, '…')
    .slice(0, maxLength)
}
