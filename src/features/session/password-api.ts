import * as contract from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

export const resetPassword = (userName: string) => call(contract.resetPassword, { body: { userName } })
export const changePassword = (password: string, confirmPassword: string) =>
  call(contract.changePassword, { body: { password, confirmPassword } })
