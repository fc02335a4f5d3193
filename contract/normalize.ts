/**
 * Matches invisible characters: format characters, default-ignorable ones and the braille blank. Bidirectional controls
 * are not matched because they are rejected rather than removed.
 */
const INVISIBLE = /(?![\u202a-\u202e\u2066-\u2069])[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Canonical form of a name or address, for storage and comparison: NFKC without invisible characters. Idempotent. */
export const normalizeText = (text: string): string =>
  // Removing a joiner can make adjacent characters composable, so the text is normalized twice.
  text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC')

/** Canonical form of an e-mail address: `normalizeText`, trimmed and in lower case. */
export const normalizeEmail = (email: string): string => normalizeText(normalizeText(email).trim().toLowerCase())

/** Scripts whose letters are easily confused. */
const LOOKALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]

/** Whether a text mixes letters of confusable scripts, as in `dem\u043e.example` with a Cyrillic o. */
export const isMixedScript = (text: string): boolean => LOOKALIKES.filter(script => script.test(text)).length > 1

/** Letters that are no accented ones for Unicode, and those that people type for them. */
const [LETTERS, TYPED_AS] = ['ıŁłĐđÐðØøÆæŒœ', 'illddddooaaoo']

/** Form of a name for comparison: lower case without accents, with ä = ae = a, ß = ss, ł = l. In SQL: `fold_text`. */
export const foldText = (text: string): string =>
  text
    .replaceAll('ß', 'ss')
    .replace(/[ıŁłĐđÐðØøÆæŒœ]/g, letter => TYPED_AS.charAt(LETTERS.indexOf(letter)))
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ae', 'a')
    .replaceAll('oe', 'o')
    .replaceAll('ue', 'u')
