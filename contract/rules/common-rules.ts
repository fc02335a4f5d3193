/**
 * Characters commonly substituted for letters in passwords ("leetspeak"). 1 and ! are not listed because each of them
 * can stand for two letters.
 */
const LOOK_ALIKES: Record<string, string> = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' }
const MARKS: Record<string, string> = { '@': 'a', $: 's', '€': 'e', '|': 'l', '+': 't' }

/**
 * Maximum number of characters before and after the base word. With more, the password is a phrase, which is rated as a
 * whole.
 */
const MAX_ENDING = 7

const undo = (text: string, one: 'i' | 'l') =>
  [...text]
    .map(character => LOOK_ALIKES[character] ?? MARKS[character] ?? (/[1!]/.test(character) ? one : character))
    .join('')

const OUTER = /^[^\p{L}]+|[^\p{L}]+$/gu
const INNER = /[^\p{L}]+/gu

const UMLAUTS: [written: RegExp, letter: string][] = [
  [/ae/g, 'ä'],
  [/oe/g, 'ö'],
  [/ue/g, 'ü'],
  [/ss/g, 'ß'],
]
const withUmlauts = (word: string) => UMLAUTS.reduce((text, [written, letter]) => text.replace(written, letter), word)
/** Reduces a repeated word to a single one, which is just as easy to guess: `hallohallo` becomes `hallo`. */
const once = (word: string) => /^(.{3,}?)\1+$/u.exec(word)?.[1] ?? word
const reversed = (word: string) => [...word].reverse().join('')

/**
 * Candidate base words of a password in lower case, with prefix and suffix removed and leetspeak reverted. Empty if the
 * prefix and suffix are too long.
 */
export function passwordBaseWordsOf(password: string): string[] {
  const lower = password.normalize('NFC').toLowerCase()
  const cores = [lower, undo(lower, 'i'), undo(lower, 'l')].map(text => text.replace(OUTER, ''))
  const bare = lower.replace(OUTER, '')
  const readings = [...cores, undo(bare, 'i'), undo(bare, 'l')].filter(
    word => [...lower].length - [...word].length <= MAX_ENDING,
  )
  const words = readings.map(word => word.replace(OUTER, ''))
  return [...new Set(words.flatMap(word => [word, once(word), withUmlauts(word), reversed(word)]))].filter(
    word => word.length >= 3,
  )
}

export type PasswordDictionary = {
  isCommonPassword(word: string): boolean
  /** whether the word is a common password, a dictionary word or a name */
  isKnown(word: string): boolean
  /** whether the word is so common that even two such words in a row are easy to guess */
  isCommonest(word: string): boolean
  /** whether the word relates to the company or to the person whose password is checked */
  isLocal(word: string): boolean
}

const isMadeOfTwo = (word: string, { isKnown, isCommonest, isLocal }: PasswordDictionary): boolean => {
  for (let cut = 3; cut <= word.length - 3; cut++) {
    const [first, second] = [word.slice(0, cut), word.slice(cut)]
    if (isCommonest(first) && isCommonest(second)) return true
    if (isLocal(first) ? isLocal(second) || isKnown(second) : isLocal(second) && isKnown(first)) return true
  }
  return false
}

/**
 * Whether the password is a common word with predictable modifications, such as leetspeak or added digits and symbols.
 */
export const isPredictablePassword = (password: string, words: PasswordDictionary): boolean =>
  passwordBaseWordsOf(password).some(word => {
    const joined = word.replace(INNER, '')
    // Dictionary words joined by separators form a passphrase, which may be strong.
    if (joined !== word) return words.isCommonPassword(joined)
    return words.isLocal(word) || words.isKnown(word) || isMadeOfTwo(word, words)
  })

/** Passwords that are popular in Germany but missing from international lists. */
const FAVOURITES = [
  'passwort',
  'kennwort',
  'geheim',
  'mustermann',
  'musterfrau',
  'anmeldung',
  'zugang',
  'betriebssport',
  'schalke',
  'borussia',
  'dortmund',
  'bayern',
  'münchen',
  'werder',
  'bremen',
  'hansa',
  'eintracht',
  'hamburg',
  'berlin',
  'köln',
  'frankfurt',
  'stuttgart',
  'hannover',
  'leipzig',
  'nürnberg',
  'gladbach',
  'leverkusen',
]

type Names = Record<'portalName' | 'name' | 'groupName' | 'city' | 'street' | 'healthInsurer', string> &
  Record<'divisions' | 'team', readonly { name: string }[]>

/**
 * Words that are easy to guess for this portal: passwords that are popular in Germany, and the names of the portal, the
 * company, its street and city, its divisions and its team.
 */
export function guessableWordsOf(branding: Names): string[] {
  const { portalName, name, groupName, city, street, healthInsurer, divisions, team } = branding
  const names = [
    portalName,
    name,
    groupName,
    city,
    street,
    healthInsurer,
    ...[...divisions, ...team].map(one => one.name),
  ]
  const words = [...FAVOURITES, ...names].flatMap(text => text.toLowerCase().split(/[^\p{L}]+/u))
  return [...new Set(words.filter(word => word.length >= 4))]
}

/** Personal data that an attacker would try first. */
export type PasswordOwner = { email: string; givenName?: string; familyName?: string }

export function listGuessablePersonalWords({ email, givenName = '', familyName = '' }: PasswordOwner): string[] {
  const names = [givenName, familyName, ...email.split(/[@._+-]/)]
  const together = ['', '.', '-', '_'].flatMap(mark => [
    `${givenName}${mark}${familyName}`,
    `${familyName}${mark}${givenName}`,
  ])
  return [email, email.split('@')[0] ?? '', ...names, ...together].filter(word => word.length > 1)
}
