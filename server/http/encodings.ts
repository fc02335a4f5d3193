import { parseAccept } from 'hono/utils/accept'

export type Encoding = 'br' | 'gzip' | 'identity'

const MOST_HEADERS = 200
/** Cache of parsed headers: browsers send few different ones. */
const understood = new Map<string, Set<string>>()

function allowedBy(header: string): Set<string> {
  const known = understood.get(header)
  if (known) return known
  const allowed = new Set(
    parseAccept(header.toLowerCase())
      .filter(({ q }) => q > 0)
      .map(({ type }) => type),
  )
  if (understood.size < MOST_HEADERS) understood.set(header, allowed)
  return allowed
}

/** First of these encodings that an `Accept-Encoding` header allows; `identity` is always allowed. */
export function encodingOf(header: string | null | undefined, made: readonly Encoding[] = ['br', 'gzip']): Encoding {
  const allowed = allowedBy(header ?? '')
  return made.find(encoding => allowed.has(encoding)) ?? 'identity'
}
