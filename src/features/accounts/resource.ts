import type { Division } from '#contract/accounts.ts'
import { api } from '#lib/api.ts'
import { listResource } from '#lib/resource.ts'

export const useDivisions = listResource<Division>({ of: 'everyone', key: 'divisions', fetch: api.listDivisions })
