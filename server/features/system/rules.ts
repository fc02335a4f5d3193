/** An e-mail address, or a word long and mixed enough to be a token. */
const PERSONAL = /[^\s@/:"'<>]+@[^\s@/:"'<>]+\.\w+|[\w-]{32,}/g

/** What an app reports about its error, without what could name a person or open a session: addresses, tokens, query strings. */
export function withoutPersonalData(text: string, maxLength: number): string {
  return text
    .replace(/\?[^\s)]*/g, '')
    .replace(PERSONAL, '…')
    .slice(0, maxLength)
}
