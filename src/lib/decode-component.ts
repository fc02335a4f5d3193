/** Like `decodeURIComponent`, but returns text with an incomplete escape sequence unchanged instead of throwing. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // For example a link that was cut off, or the name of a file or course with a per cent sign.
    return text
  }
}
