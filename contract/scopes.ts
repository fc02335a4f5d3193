import * as v from 'valibot'
import type { Right } from './rights.ts'

/**
 * Scopes of service tokens: read the programme at the desk; read lists, people and bookings; perform actions on the
 * programme; perform actions on people and bookings; use SCIM.
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
