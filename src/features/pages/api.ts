import * as contract from '#contract/content.ts'
import { call } from '#lib/api-client.ts'

export const listPages = () => call(contract.listPages, {})
