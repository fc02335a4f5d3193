import { listInstructors, listWebContentItems } from '#contract/content.ts'
import { call } from '#lib/api-client.ts'

export const fetchContentItems = () => call(listWebContentItems, {})
export const fetchInstructors = () => call(listInstructors, {})
