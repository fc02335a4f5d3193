/** Words with which rows below a list begin that sum it up or count it. */
const TOTAL = /^(summe|gesamt|gesamtsumme|insgesamt|anzahl|zeilen|total|sum|count|rows)[\s:=]*(\d[\d.,]*)?$/i

/**
 * Whether the last filled row of an HR list sums it up, such as `Summe: 250`, instead of naming a person. Personnel
 * numbers of other rows may be any text.
 */
export const isTotalRow = (text: string): boolean => TOTAL.test(text)
