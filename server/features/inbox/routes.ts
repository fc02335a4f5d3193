import { getInboxFile, listMessages } from '#contract/inbox.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountInbox(api: Api, _context: ServerContext): void {
  api.mount(listMessages, notImplemented)
  api.mount(getInboxFile, notImplemented)
}
