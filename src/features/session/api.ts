import { resendEmail } from '#contract/accounts.ts'
import type { Credentials, OwnSession, Session } from '#contract/session.ts'
import {
  changePassword,
  checkSession,
  endOtherSessions,
  endSession,
  listSessions,
  login,
  logout,
  resetPassword,
} from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

export const sendLogin = (credentials: Credentials): Promise<Session> => call(login, { body: credentials })
/** By the header: an address with a token in it would stand in the log of every proxy on the way. */
export const fetchSession = (token: string): Promise<Session> => call(checkSession, { token })
export const sendLogout = (token: string) => call(logout, { token })
export const askForNewPassword = (userName: string) => call(resetPassword, { body: { userName } })
export const askForActivationMail = (userName: string) => call(resendEmail, { params: { userName } })
export const sendPasswordChange = (password: string, confirmPassword: string) =>
  call(changePassword, { body: { password, confirmPassword } })
export const fetchSessions = (): Promise<OwnSession[]> => call(listSessions, {})
export const sendEndOfSession = (id: number) => call(endSession, { params: { id } })
export const sendEndOfOtherSessions = () => call(endOtherSessions, {})
