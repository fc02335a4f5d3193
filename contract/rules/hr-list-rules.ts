/** Words with which rows below a list begin that sum it up or count it. */
const SUM = /^(summe|gesamt|insgesamt|anzahl|zeilen|total|sum|count|rows)\b/i

/** Whether the cell of an HR list can be a personnel number: it has a digit, and is no caption such as `Summe: 250`. */
export const isPersonnelNumber = (text: string): boolean => /\d/.test(text) && !SUM.test(text)
