import * as v from 'valibot'
import type { Right } from './rights.ts'

/**
 * Scopes of service tokens. `programme-read`: read the programme as the office UI shows it. `lists`: read lists, people
 * and bookings. `programme`: perform actions on the programme. `bookings`: perform actions on people and bookings.
 * `people`: use SCIM.
 */
export const SCOPES = ['programme-read', 'lists', 'programme', 'bookings', 'people'] as const
export const scope = v.picklist(SCOPES)
export type Scope = v.InferOutput<typeof scope>

/** Office rights granted by each scope of a service token. */
export const RIGHTS_OF_SCOPE: Record<Scope, readonly Right[]> = {
  'programme-read': ['programme'],
  lists: ['billing'],
  programme: ['programme'],
  bookings: ['bookings'],
  people: ['bookings'],
}
