import { getInboxFile, listMessages } from '#contract/inbox.ts'
import { call } from '#lib/api-client.ts'

export const fetchMessages = () => call(listMessages, {})
/** The document of a message; the server marks the message seen. */
export const fetchInboxFile = (id: number): Promise<Blob> => call(getInboxFile, { params: { id } })
