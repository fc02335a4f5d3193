const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv

/** One composed form, LF line ends, no control or invisible characters, no blanks around, no more than one empty line. */
export function cleanText(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(CONTROL, '')
      .replace(INVISIBLE, '')
      // An expression would take quadratic time for a run of blanks without a line end.
      .split('\n')
      .map(line => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** As cleanText, on one line with single blanks. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ')
