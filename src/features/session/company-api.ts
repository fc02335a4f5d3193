import * as contract from '#contract/company.ts'
import { call } from '#lib/api-client.ts'

export const getCompanyLogin = () => call(contract.getCompanyLogin, {})
export const finishCompanyLogin = () => call(contract.finishCompanyLogin, { body: {} })
