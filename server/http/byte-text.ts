/**
 * A text as one of which each letter is a byte of it: as long as what is sent, and sent by a socket in one piece with the headers
 * before it, while a text in several alphabets is written anew each time.
 */
export const byteTextOf = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')

/** What was written as `byteTextOf` does. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()
