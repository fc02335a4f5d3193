import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, outcome } from './values.ts'

export const FOLLOW_KINDS = ['course', 'category', 'season'] as const
/** What a person wants to hear of: the opening for booking of a course, of a category's courses, or of a season's. */
export const follow = v.object({ kind: v.picklist(FOLLOW_KINDS), id })
export type Follow = v.InferOutput<typeof follow>

export const listFollows = endpoint('GET', '/api/follow', {
  access: 'session',
  summary: 'What the user follows, the newest last',
  response: v.array(follow),
})

export const followThing = endpoint('PUT', '/api/follow', {
  access: 'session',
  summary: 'Follows a course, a category or a season',
  body: follow,
  response: outcome,
})

export const unfollowThing = endpoint('DELETE', '/api/follow', {
  access: 'session',
  summary: 'Follows it no longer',
  body: follow,
  response: outcome,
})

const ways = v.object({ mail: v.boolean(), push: v.boolean() })

export const REMINDERS = ['changes', 'lessonEve', 'opening', 'waiting'] as const
export type ReminderKind = (typeof REMINDERS)[number]
export const reminders = v.object({
  /** changes of a booked course */
  changes: ways,
  /** the evening before a lesson */
  lessonEve: ways,
  /** an hour before the opening of what the person follows */
  opening: ways,
  /** news of the place on a waiting list */
  waiting: ways,
})
export type Reminders = v.InferOutput<typeof reminders>

export const FIRST_REMINDERS: Reminders = {
  changes: { mail: true, push: false },
  lessonEve: { mail: false, push: false },
  opening: { mail: false, push: false },
  waiting: { mail: false, push: false },
}

export const getReminders = endpoint('GET', '/api/reminders', {
  access: 'session',
  summary: 'Of what the user wants to be told, and how',
  response: reminders,
})

export const changeReminders = endpoint('PUT', '/api/reminders', {
  access: 'session',
  summary: 'Sets of what the user wants to be told, and how',
  body: reminders,
  response: reminders,
})
