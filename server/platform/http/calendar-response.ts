import { createHash } from 'node:crypto'
import { ifNoneMatchTags } from './headers.ts'

export const CALENDAR_MEDIA_TYPE = 'text/calendar; charset=utf-8'

/** Sends a calendar with an ETag, or 304 if the program already has it. */
export function calendarResponse(request: Request, content: string, headers: Record<string, string>): Response {
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const all = { ...headers, ETag: `"${tag}"` }
  if (ifNoneMatchTags(request).includes(tag)) return new Response(null, { status: 304, headers: all })
  return new Response(content, { headers: { ...all, 'Content-Type': CALENDAR_MEDIA_TYPE } })
}
