import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, outcome } from './values.ts'

export const FOLLOW_KINDS = ['course', 'category', 'season'] as const
/** What a person wants to hear of: the opening for booking of a course, of a category's courses, or of a season's. */
export const follow = v.object({ kind: v.picklist(FOLLOW_KINDS), id })
export type Follow = v.InferOutput<typeof follow>

export const listFollows = endpoint('session', 'GET', '/api/follow', { response: v.array(follow) })
export const followThing = endpoint('session', 'PUT', '/api/follow', { body: follow, response: outcome })
export const unfollowThing = endpoint('session', 'DELETE', '/api/follow', { body: follow, response: outcome })

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

export const getReminders = endpoint('session', 'GET', '/api/reminders', { response: reminders })
export const changeReminders = endpoint('session', 'PUT', '/api/reminders', { body: reminders, response: reminders })
