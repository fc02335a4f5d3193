import * as v from 'valibot'
import type { Right } from './rights.ts'

/** Scopes of service tokens: desk view of the programme, lists for spreadsheets, people by SCIM. */
export const SCOPES = ['programme', 'lists', 'people'] as const
export const scope = v.picklist(SCOPES)
export type Scope = v.InferOutput<typeof scope>

/** Desk rights that a service token has, by scope. */
export const RIGHTS_OF_SCOPE: Record<Scope, readonly Right[]> = {
  programme: ['programme'],
  lists: ['billing'],
  people: ['bookings'],
}
