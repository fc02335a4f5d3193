import type { Credentials, Session } from '#contract/session.ts'
import { checkSession, login, logout } from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

export const sendLogin = (credentials: Credentials): Promise<Session> => call(login, { body: credentials })
export const fetchSession = (sessionToken: string): Promise<Session> => call(checkSession, { query: { sessionToken } })
export const sendLogout = (token: string) => call(logout, { token })
