import { resendEmail } from '#contract/accounts.ts'
import type { Credentials, Session } from '#contract/session.ts'
import { changePassword, checkSession, login, logout, resetPassword } from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

export const sendLogin = (credentials: Credentials): Promise<Session> => call(login, { body: credentials })
export const fetchSession = (sessionToken: string): Promise<Session> => call(checkSession, { query: { sessionToken } })
export const sendLogout = (token: string) => call(logout, { token })
export const askForNewPassword = (userName: string) => call(resetPassword, { body: { userName } })
export const askForActivationMail = (userName: string) => call(resendEmail, { params: { userName } })
export const sendPasswordChange = (password: string, confirmPassword: string) =>
  call(changePassword, { body: { password, confirmPassword } })
