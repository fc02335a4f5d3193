import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../values.ts'

const CALENDAR = 'text/calendar'

/** URL of a person's calendar feed; '' if the person has no feed. */
export const feedAddress = v.object({ url: v.string() })

export const getCourseCalendar = endpoint('session', 'GET', '/api/course/:id/calendar.ics', {
  params: idParams,
  response: { file: CALENDAR },
})

export const getFeed = endpoint('session', 'GET', '/api/calendar', { response: feedAddress })
export const createFeed = endpoint('session', 'POST', '/api/calendar', { response: feedAddress })
export const endFeed = endpoint('session', 'DELETE', '/api/calendar', { response: feedAddress })

export const readFeed = endpoint('public', 'GET', '/api/calendar/:file', {
  params: v.object({ file: v.string() }),
  response: { file: CALENDAR },
})
