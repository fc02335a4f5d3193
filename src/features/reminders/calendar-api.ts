import * as contract from '#contract/calendar.ts'
import { call } from '#lib/api-client.ts'

export const getCourseCalendar = (id: number): Promise<File> => call(contract.getCourseCalendar, { params: { id } })
export const getFeed = () => call(contract.getFeed, {})
export const createFeed = () => call(contract.createFeed, {})
export const endFeed = () => call(contract.endFeed, {})
