import type { FollowedItem } from '#contract/endpoints/reminders.ts'
import { api } from '#lib/api.ts'
import { createListResource } from '#lib/resource.ts'

export const useFollowSubscriptions = createListResource<FollowedItem>({
  of: 'person',
  key: 'follows',
  fetch: api.listFollows,
})
