import type { Division } from '#contract/endpoints/accounts.ts'
import { api } from '#lib/api.ts'
import { createListResource } from '#lib/resource.ts'

export const useDivisions = createListResource<Division>({ of: 'everyone', key: 'divisions', fetch: api.listDivisions })
