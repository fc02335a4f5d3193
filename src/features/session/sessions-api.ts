import type { OwnSession } from '#contract/session.ts'
import * as contract from '#contract/session.ts'
import { call } from '#lib/api-client.ts'

export const listSessions = (): Promise<OwnSession[]> => call(contract.listSessions, {})
export const endSession = (id: number) => call(contract.endSession, { params: { id } })
export const endOtherSessions = () => call(contract.endOtherSessions, {})
