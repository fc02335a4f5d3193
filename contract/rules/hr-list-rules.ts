/** Words with which rows below a list begin that sum it up or count it. */
const TOTAL = /^(summe|gesamt|gesamtsumme|insgesamt|anzahl|zeilen|total|sum|count|rows)[\s:=]*(\d[\d.,]*)?$/i

const isLikeTotal = (text: string) => /^[a-z]+\d+$/i.test(text) && TOTAL.test(text)

/**
 * Whether the last filled row of an HR list sums it up, such as `Summe: 250`, instead of naming a person. Personnel
 * numbers of other rows may be any text; if one is like `SUM11`, `SUM12` is a personnel number as well.
 */
export const isTotalRow = (text: string, others: readonly string[]): boolean =>
  TOTAL.test(text) && !(isLikeTotal(text) && others.some(isLikeTotal))

/** Cell of an HR list; whole numbers without the decimal that pandas adds (`4711.0`) if a column has empty cells. */
export const toHrListCell = (text: string): string => text.trim().replace(/^(\d+)\.0$/, '$1')
