import * as v from 'valibot'
import type { Right } from './rights.ts'

/**
 * Scopes of service tokens: reading the programme at the desk; lists, people and bookings; acts on the programme, and
 * on people and bookings; SCIM.
 */
export const SCOPES = ['programme-read', 'lists', 'programme', 'bookings', 'people'] as const
export const scope = v.picklist(SCOPES)
export type Scope = v.InferOutput<typeof scope>

/** Desk rights granted by each scope of a service token. */
export const RIGHTS_OF_SCOPE: Record<Scope, readonly Right[]> = {
  'programme-read': ['programme'],
  lists: ['billing'],
  programme: ['programme'],
  bookings: ['bookings'],
  people: ['bookings'],
}
