import type { Division } from '#contract/accounts.ts'
import { resource } from '#lib/resource.ts'
import { listDivisions } from './api.ts'

export const useDivisions = resource<readonly Division[]>({
  of: 'everyone',
  key: 'divisions',
  empty: [],
  fetch: listDivisions,
  isUsable: divisions => divisions.every(({ id }) => Number.isInteger(id)),
})
