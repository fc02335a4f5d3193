import type { Follow } from '#contract/reminders.ts'
import { listResource } from '#lib/resource.ts'
import { listFollows } from './api.ts'

export const useFollows = listResource<Follow>({ of: 'person', key: 'follows', fetch: listFollows })
