import * as v from 'valibot'
import type { Right } from './rights.ts'

/** What a service token opens: the programme as the desk has it, the lists for a spreadsheet, people by SCIM. */
export const SCOPES = ['programme', 'lists', 'people'] as const
export const scope = v.picklist(SCOPES)
export type Scope = v.InferOutput<typeof scope>

/** As whom a program reads at the desk. */
export const RIGHTS_OF_SCOPE: Record<Scope, readonly Right[]> = {
  programme: ['programme'],
  lists: ['billing'],
  people: ['bookings'],
}
