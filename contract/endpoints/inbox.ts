import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { dateTimeValue, id, idParams } from '../values.ts'

export const inboxItem = v.object({
  id,
  /** file name of the document; '' if there is none */
  documentName: v.string(),
  created: dateTimeValue,
  title: v.string(),
  /** HTML */
  text: v.string(),
  seen: v.boolean(),
})
export type InboxItem = v.InferOutput<typeof inboxItem>

export const listMessages = endpoint('session', 'GET', '/api/inboxitem/messages', {
  changesData: true,
  response: v.array(inboxItem),
})

export const getInboxFile = endpoint('session', 'GET', '/api/InboxItem/file/:id', {
  params: idParams,
  // A certificate is rendered for each request.
  isCostly: true,
  response: { file: 'application/octet-stream' },
})
