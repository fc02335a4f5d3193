import * as pushContract from '#contract/push.ts'
import * as contract from '#contract/reminders.ts'
import { call } from '#lib/api-client.ts'

export const listFollows = () => call(contract.listFollows, {})
export const followThing = (body: contract.Follow) => call(contract.followThing, { body })
export const unfollowThing = (body: contract.Follow) => call(contract.unfollowThing, { body })
export const getReminders = () => call(contract.getReminders, {})
export const changeReminders = (body: contract.Reminders) => call(contract.changeReminders, { body })
export const getPushKey = () => call(pushContract.getPushKey, {})
export const subscribePush = (body: { endpoint: string; keys: { p256dh: string; auth: string } }) =>
  call(pushContract.subscribePush, { body })
export const unsubscribePush = (endpoint: string) => call(pushContract.unsubscribePush, { body: { endpoint } })
