import type { Follow } from '#contract/reminders.ts'
import { api } from '#lib/api.ts'
import { listResource } from '#lib/resource.ts'

export const useFollows = listResource<Follow>({ of: 'person', key: 'follows', fetch: api.listFollows })
