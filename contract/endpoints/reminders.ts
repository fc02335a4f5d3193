import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { apiCallOutcome, id } from '../values.ts'

export const FOLLOWED_ITEM_KINDS = ['course', 'category', 'season'] as const
/**
 * Subscription to a notification about the opening of booking for a course, for all courses of a category, or for a
 * season.
 */
export const followedItem = v.object({ kind: v.picklist(FOLLOWED_ITEM_KINDS), id })
export type FollowedItem = v.InferOutput<typeof followedItem>

export const listFollows = endpoint('session', 'GET', '/api/follow', { response: v.array(followedItem) })
export const followThing = endpoint('session', 'PUT', '/api/follow', { body: followedItem, response: apiCallOutcome })
export const unfollowThing = endpoint('session', 'DELETE', '/api/follow', {
  body: followedItem,
  response: apiCallOutcome,
})

const ways = v.object({ mail: v.boolean(), push: v.boolean() })

export const REMINDERS = ['changes', 'lessonEve', 'opening', 'waiting', 'lessonPlaces'] as const
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
  /** notification channels for places of single lessons that are free; missing: `DEFAULT_LESSON_PLACES` or unchanged */
  lessonPlaces: v.optional(ways),
  /** e-mails with figures and open tasks for members of the department; missing: none, or unchanged */
  officeReport: v.optional(v.object({ weekly: v.boolean(), monthly: v.boolean() })),
})
export type Reminders = v.InferOutput<typeof reminders>

export const DEFAULT_LESSON_PLACES: v.InferOutput<typeof ways> = { mail: true, push: false }
export const DEFAULT_REMINDERS: Reminders = {
  changes: { mail: true, push: false },
  lessonEve: { mail: false, push: false },
  opening: { mail: false, push: false },
  waiting: { mail: false, push: false },
}

export const getReminders = endpoint('session', 'GET', '/api/reminders', { response: reminders })
export const changeReminders = endpoint('session', 'PUT', '/api/reminders', { body: reminders, response: reminders })
