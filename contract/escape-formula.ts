/** Matches text that a spreadsheet could interpret as a formula, even after leading blanks (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/**
 * Phone and personnel numbers such as '+49 (0)511 12-3', '++49 511' or '-123'. They need no protection: without letters they
 * contain neither references nor function calls.
 */
const NUMBER = /^[\d ()+/-]+$/

/** Prefixes text that a spreadsheet could interpret as a formula with an apostrophe. Does not apply to amounts. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text)
