import { changePassword, checkSession, login, logout, resetPassword } from '#contract/session.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountSession(api: Api, _context: ServerContext): void {
  api.mount(login, notImplemented)
  api.mount(checkSession, notImplemented)
  api.mount(logout, notImplemented)
  api.mount(changePassword, notImplemented)
  api.mount(resetPassword, notImplemented)
}
