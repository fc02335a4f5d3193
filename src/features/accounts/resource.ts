import type { Division } from '#contract/accounts.ts'
import { resource } from '#lib/resource.ts'
import { listDivisions } from './api.ts'

/** The company's divisions, for the forms. */
export const useDivisions = resource<readonly Division[]>({
  of: 'everyone',
  key: 'divisions',
  empty: [],
  fetch: listDivisions,
  isUsable: divisions => divisions.every(({ id }) => Number.isInteger(id)),
})
