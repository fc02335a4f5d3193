import * as contract from '#contract/accounts.ts'
import { call } from '#lib/api-client.ts'

/** Apart from the login's calls, which every page has: nothing else there asks for an account. */
export const resendEmail = (userName: string) => call(contract.resendEmail, { params: { userName } })
