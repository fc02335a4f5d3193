import type { Credentials, Session } from '#contract/session.ts'
import * as contract from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

/** Calls that any page may need; others are loaded with their screens. */
export const login = (credentials: Credentials): Promise<Session> => call(contract.login, { body: credentials })
/** Token in a header: URLs are recorded in proxy logs. */
export const checkSession = (token: string): Promise<Session> => call(contract.checkSession, { token })
export const logout = (token: string) => call(contract.logout, { token })
