import {
  checkEmailPassword,
  confirmAccount,
  deleteAccount,
  editWebUser,
  exportPersonalData,
  getWebUser,
  listDivisions,
  register,
  resendEmail,
} from '#contract/accounts.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountAccounts(api: Api, _context: ServerContext): void {
  api.mount(listDivisions, notImplemented)
  api.mount(checkEmailPassword, notImplemented)
  api.mount(register, notImplemented)
  api.mount(confirmAccount, notImplemented)
  api.mount(resendEmail, notImplemented)
  api.mount(getWebUser, notImplemented)
  api.mount(editWebUser, notImplemented)
  api.mount(exportPersonalData, notImplemented)
  api.mount(deleteAccount, notImplemented)
}
