import * as contract from '#contract/content.ts'
import { call } from '#lib/api-client.ts'

export const listWebContentItems = () => call(contract.listWebContentItems, {})
export const listInstructors = () => call(contract.listInstructors, {})
