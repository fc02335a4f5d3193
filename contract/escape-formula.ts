/** Matches text that a spreadsheet could interpret as a formula, even after leading blanks (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** Phone numbers such as '+49 (0)511 12-3' contain no formula. */
const PHONE_NUMBER = /^\+[\d ()/-]+$/

/** Prefixes text that a spreadsheet could interpret as a formula with an apostrophe. Does not apply to amounts. */
export const escapeFormula = (text: string): string =>
  FORMULA.test(text) && !PHONE_NUMBER.test(text) ? `'${text}` : text
