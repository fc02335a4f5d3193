import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { idParams } from './values.ts'

const CALENDAR = 'text/calendar'

/** The address of a person's calendar feed; '' when there is none. */
export const feedAddress = v.object({ url: v.string() })
export type FeedAddress = v.InferOutput<typeof feedAddress>

export const getCourseCalendar = endpoint('GET', '/api/course/:id/calendar.ics', {
  access: 'session',
  summary: 'All lessons of a course that the user has booked, waits for (tentative) or teaches, as a calendar file',
  params: idParams,
  response: { file: CALENDAR },
})

export const getFeed = endpoint('GET', '/api/calendar', {
  access: 'session',
  summary: "The address of the user's calendar feed",
  response: feedAddress,
})

export const createFeed = endpoint('POST', '/api/calendar', {
  access: 'session',
  summary: 'Makes a calendar feed with a new address, and ends the one before',
  response: feedAddress,
})

export const endFeed = endpoint('DELETE', '/api/calendar', {
  access: 'session',
  summary: 'Ends the calendar feed: its address shows nothing any more',
  response: feedAddress,
})

export const readFeed = endpoint('GET', '/api/calendar/:file', {
  access: 'public',
  summary:
    'The feed at its secret address, `{token}.ics`: booked, waiting (tentative) and taught lessons, and openings that the person follows; 304 for who has it',
  params: v.object({ file: v.string() }),
  response: { file: CALENDAR },
})
