const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv

/**
 * Normalizes text: NFC, LF line ends, no control or invisible characters, trimmed, at most one consecutive empty line.
 */
export function cleanText(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(CONTROL, '')
      .replace(INVISIBLE, '')
      // A regular expression would take quadratic time for long runs of blanks.
      .split('\n')
      .map(line => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** As cleanText, on a single line with single blanks. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ')
