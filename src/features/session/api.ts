import type { Credentials, Session } from '#contract/session.ts'
import * as contract from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

/** Those that each page may need: the others come with their screens. */
export const login = (credentials: Credentials): Promise<Session> => call(contract.login, { body: credentials })
/** By the header: an address with a token in it would stand in the log of every proxy on the way. */
export const checkSession = (token: string): Promise<Session> => call(contract.checkSession, { token })
export const logout = (token: string) => call(contract.logout, { token })
