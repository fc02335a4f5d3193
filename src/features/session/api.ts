import type { Credentials, OwnSession, Session } from '#contract/session.ts'
import * as contract from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

export const login = (credentials: Credentials): Promise<Session> => call(contract.login, { body: credentials })
/** By the header: an address with a token in it would stand in the log of every proxy on the way. */
export const checkSession = (token: string): Promise<Session> => call(contract.checkSession, { token })
export const logout = (token: string) => call(contract.logout, { token })
export const resetPassword = (userName: string) => call(contract.resetPassword, { body: { userName } })
export const changePassword = (password: string, confirmPassword: string) =>
  call(contract.changePassword, { body: { password, confirmPassword } })
export const listSessions = (): Promise<OwnSession[]> => call(contract.listSessions, {})
export const endSession = (id: number) => call(contract.endSession, { params: { id } })
export const endOtherSessions = () => call(contract.endOtherSessions, {})
