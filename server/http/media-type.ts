/** What a browser may show in place. */
const SHOWN = [
  'application/pdf',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'text/plain',
]

/** What is saved, and opened by the program that its type names. */
const SAVED = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/calendar',
]

/** How a stored file is sent: whatever is not known, HTML above all, as bytes to save that no browser interprets. */
export function sendAs(mediaType: string): { mediaType: string; disposition: 'inline' | 'attachment' } {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isText = type.startsWith('text/')
  const safeType = isText ? `${type}; charset=utf-8` : type
  if (SHOWN.includes(type)) return { mediaType: safeType, disposition: 'inline' }
  return { mediaType: SAVED.includes(type) ? safeType : 'application/octet-stream', disposition: 'attachment' }
}
