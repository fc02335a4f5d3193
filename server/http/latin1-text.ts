/**
 * Encodes a text as UTF-8, one byte per character (Latin-1 string). A socket writes it together with the headers in one
 * system call; a string of wider characters would be encoded again for each response.
 */
export const toLatin1Text = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')

/** Inverse of `byteTextOf`. */
export const fromLatin1Text = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()
