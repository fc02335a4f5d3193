import type { Division } from '#contract/accounts.ts'
import { listResource } from '#lib/resource.ts'
import { listDivisions } from './api.ts'

export const useDivisions = listResource<Division>({ of: 'everyone', key: 'divisions', fetch: listDivisions })
