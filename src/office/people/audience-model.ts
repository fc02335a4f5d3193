import type { MessageFilter } from '#contract/acts/messages.ts'
import { MESSAGE_FILTER_STATES } from '#contract/acts/messages.ts'
import { isOneOf } from '#contract/records.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'

const NUMBER_LISTS = ['seasonIds', 'courseIds', 'categoryIds', 'roomIds', 'divisionIds'] as const

/** URL of the message screen with these recipients. */
export function messagePathOf(filter: MessageFilter): string {
  const params = new URLSearchParams({ to: 'filter' })
  for (const [key, value] of Object.entries(filter))
    params.set(key, Array.isArray(value) ? value.join() : String(value))
  return `/office/messages?${params}`
}

/** Recipients that a URL of `messagePathOf` describes. Invalid values are ignored. */
export function readMessageFilter(params: URLSearchParams): MessageFilter {
  const listOf = (key: string) => (params.get(key) ?? '').split(',').filter(Boolean)
  const filter: MessageFilter = {}
  for (const key of NUMBER_LISTS) {
    const ids = listOf(key)
      .filter(text => /^\d{1,9}$/.test(text))
      .map(Number)
    if (ids.length > 0) filter[key] = ids
  }
  const statuses = Object.values(EMPLOYEE_STATUS).filter(status => listOf('employeeStatuses').includes(String(status)))
  const states = listOf('states').filter(state => isOneOf(MESSAGE_FILTER_STATES, state))
  const sites = listOf('sites')
  const days = (['date', 'until'] as const).filter(key => /^\d{4}-\d\d-\d\d$/.test(params.get(key) ?? ''))
  return {
    ...filter,
    ...(statuses.length > 0 && { employeeStatuses: statuses }),
    ...(states.length > 0 && { states }),
    ...(sites.length > 0 && { sites }),
    ...Object.fromEntries(days.map(key => [key, params.get(key) ?? ''])),
  }
}
