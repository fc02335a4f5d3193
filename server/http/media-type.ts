/** What a browser may show in place. Whatever else is stored, HTML above all, is only ever saved. */
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

/** The media type under which a stored file is sent: its own, or one that no browser interprets. */
export function safeMediaType(mediaType: string): string {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/plain') return 'text/plain; charset=utf-8'
  return SHOWN.includes(type) ? type : 'application/octet-stream'
}
