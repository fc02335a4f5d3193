import * as contract from '#contract/inbox.ts'
import { call } from '#lib/api-client.ts'

export const listMessages = () => call(contract.listMessages, {})
/** The document of a message; the server marks the message seen. */
export const getInboxFile = (id: number): Promise<Blob> => call(contract.getInboxFile, { params: { id } })
