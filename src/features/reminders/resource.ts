import type { Follow } from '#contract/reminders.ts'
import { api } from '#lib/api.ts'
import { createListResource } from '#lib/resource.ts'

export const useFollows = createListResource<Follow>({ of: 'person', key: 'follows', fetch: api.listFollows })
