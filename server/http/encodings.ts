import { parseAccept } from 'hono/utils/accept'

export type Encoding = 'br' | 'gzip' | 'identity'

/** The best of these encodings, in this order, that an `Accept-Encoding` header allows; `identity` always is. */
export function encodingOf(header: string | null | undefined, made: readonly Encoding[] = ['br', 'gzip']): Encoding {
  const allowed = parseAccept((header ?? '').toLowerCase()).filter(({ q }) => q > 0)
  return made.find(encoding => allowed.some(({ type }) => type === encoding)) ?? 'identity'
}
