import { withoutUnknownParts } from '#server/http/request-log.ts'

/** What follows the name of a password: browsers quote the text they cannot read. */
const PASSWORD = /(passwor[dt]["']?\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|\S+)/gi
/** An address, its path, and where in the file. */
const PLACE = /^([("'@]*(?:[\w$.<>]*@)?)((?:https?:\/\/[\w.:-]+)?)(\/[^\s:)"']*)((?::\d{1,7}){0,2}[)"',.;:]*)$/
/** What passwords, tokens, numbers of people and addresses have, and words hardly ever: digits among letters, many digits, marks. */
const SECRETIVE = /\p{L}.*\d|\d.*\p{L}|\d{4}|@|\p{L}[!#%&*+^~§$€]|\p{L}-\p{Lu}/u

/** An app's error without what could name a person or open a session: words with digits or marks, passwords, queries of addresses. */
export function withoutPersonalData(text: string, maxLength: number): string {
  return text
    .replace(/\?[^\s)]*/g, '')
    .replace(PASSWORD, '$1…')
    .replace(/\S+/g, word => {
      const [, before, origin, path, after] = PLACE.exec(word) ?? []
      if (path !== undefined) return `${before}${origin}${withoutUnknownParts(path)}${after}`
      return SECRETIVE.test(word) ? '…' : word
    })
    .slice(0, maxLength)
}
