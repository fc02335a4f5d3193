import { listInstructors, listWebContentItems } from '#contract/content.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountContent(api: Api, _context: ServerContext): void {
  api.mount(listWebContentItems, notImplemented)
  api.mount(listInstructors, notImplemented)
}
