import * as contract from '#contract/accounts.ts'
import { call } from '#lib/api-client.ts'

/** Separate from the login calls, which every page loads. */
export const resendEmail = (userName: string) => call(contract.resendEmail, { params: { userName } })
