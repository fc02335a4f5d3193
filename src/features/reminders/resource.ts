import type { Follow } from '#contract/reminders.ts'
import { resource } from '#lib/resource.ts'
import { listFollows } from './api.ts'

export const useFollows = resource<readonly Follow[]>({
  of: 'person',
  key: 'follows',
  empty: [],
  fetch: listFollows,
  isUsable: follows => follows.every(({ id }) => Number.isInteger(id)),
})
