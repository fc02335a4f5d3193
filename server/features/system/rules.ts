import { withoutUnknownParts } from '#server/http/request-log.ts'

/** Value after a password label: browsers quote invalid input in error messages. */
const PASSWORD = /(passwor[dt]["']?\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|\S+)/gi
/** URL or path with position in the file. */
const PLACE = /^([("'@]*(?:[\w$.<>]*@)?)((?:https?:\/\/[\w.:-]+)?)(\/[^\s:)"']*)((?::\d{1,7}){0,2}[)"',.;:]*)$/
/**
 * Patterns of passwords, tokens, personnel numbers and addresses, which are rare in words: digits among letters, many
 * digits, symbols.
 */
const SECRETIVE = /\p{L}.*\d|\d.*\p{L}|\d{4}|@|\p{L}[!#%&*+^~§$€]|\p{L}-\p{Lu}/u

/**
 * Removes potential personal data and secrets from an error reported by the app: words with digits or symbols,
 * passwords, URL queries.
 */
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
