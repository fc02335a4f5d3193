import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { callOutcome, id } from './values.ts'

export const FOLLOW_KINDS = ['course', 'category', 'season'] as const
/**
 * Subscription to a notification about the opening of booking for a course, for all courses of a category, or for a
 * season.
 */
export const follow = v.object({ kind: v.picklist(FOLLOW_KINDS), id })
export type Follow = v.InferOutput<typeof follow>

export const listFollows = endpoint('session', 'GET', '/api/follow', { response: v.array(follow) })
export const followThing = endpoint('session', 'PUT', '/api/follow', { body: follow, response: callOutcome })
export const unfollowThing = endpoint('session', 'DELETE', '/api/follow', { body: follow, response: callOutcome })

const ways = v.object({ mail: v.boolean(), push: v.boolean() })

export const REMINDERS = ['changes', 'lessonEve', 'opening', 'waiting'] as const
export type ReminderKind = (typeof REMINDERS)[number]
export const reminders = v.object({
  /** notification channels for changes to a booked course */
  changes: ways,
  /** notification channels for the evening before a lesson */
  lessonEve: ways,
  /** notification channels for the hour before booking opens for a followed course, category or season */
  opening: ways,
  /** notification channels for changes to the position on the waiting list */
  waiting: ways,
})
export type Reminders = v.InferOutput<typeof reminders>

export const DEFAULT_REMINDERS: Reminders = {
  changes: { mail: true, push: false },
  lessonEve: { mail: false, push: false },
  opening: { mail: false, push: false },
  waiting: { mail: false, push: false },
}

export const getReminders = endpoint('session', 'GET', '/api/reminders', { response: reminders })
export const changeReminders = endpoint('session', 'PUT', '/api/reminders', { body: reminders, response: reminders })
