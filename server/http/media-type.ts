/** Media types that browsers may display inline. */
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

/** Media types that are downloaded and opened by their own program. */
const SAVED = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/calendar',
]

/**
 * Media type and disposition of a stored file. Unknown types, above all HTML, are downloaded as
 * application/octet-stream.
 */
export function sendAs(mediaType: string): { mediaType: string; disposition: 'inline' | 'attachment' } {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isText = type.startsWith('text/')
  const safeType = isText ? `${type}; charset=utf-8` : type
  if (SHOWN.includes(type)) return { mediaType: safeType, disposition: 'inline' }
  return { mediaType: SAVED.includes(type) ? safeType : 'application/octet-stream', disposition: 'attachment' }
}
