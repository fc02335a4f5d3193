import * as contract from '#contract/inbox.ts'
import { call } from '#lib/api-client.ts'

export const listMessages = () => call(contract.listMessages, {})
/** Downloads the document of a message; the server marks the message as read. */
export const getInboxFile = (id: number): Promise<Blob> => call(contract.getInboxFile, { params: { id } })
