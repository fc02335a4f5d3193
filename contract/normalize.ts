/** Characters that nobody sees: format characters, default ignorable ones and the braille blank. Bidirectional controls are refused instead. */
const INVISIBLE = /(?![\u202a-\u202e\u2066-\u2069])[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A name or address in the one form that is stored and compared: NFKC without invisible characters. Idempotent. */
export const normalizeText = (text: string): string =>
  // Without a joiner between them, two characters may compose.
  text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC')

/** The same for an e-mail address, whose case and outer blanks do not count. */
export const normalizeEmail = (email: string): string => normalizeText(normalizeText(email).trim().toLowerCase())

/** Scripts whose letters look alike. */
const LOOKALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]

/** Whether a name or address mixes letters of scripts that look alike, as in `dem\u043e.example` with a Cyrillic o. */
export const isMixedScript = (text: string): boolean => LOOKALIKES.filter(script => script.test(text)).length > 1
