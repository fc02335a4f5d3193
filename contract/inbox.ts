import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { dateTimeValue, id, idParams } from './values.ts'

export const inboxItem = v.object({
  id,
  /** empty when there is nothing to download */
  documentName: v.string(),
  created: dateTimeValue,
  title: v.string(),
  /** HTML */
  text: v.string(),
  seen: v.boolean(),
})
export type InboxItem = v.InferOutput<typeof inboxItem>

export const listMessages = endpoint('GET', '/api/inboxitem/messages', {
  access: 'session',
  summary: "The user's messages, newest first; the session's unread flag is cleared",
  response: v.array(inboxItem),
})

export const getInboxFile = endpoint('GET', '/api/InboxItem/file/:id', {
  access: 'session',
  summary: 'The document of a message; marks the message seen',
  params: idParams,
  response: { file: 'application/octet-stream' },
})
