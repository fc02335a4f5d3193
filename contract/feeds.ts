import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, idParam, money } from './values.ts'

const text = v.string()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A course as anybody may show it elsewhere. Suffix 2 marks the second language. */
export const publicCourse = v.object({
  id,
  number: text,
  name: text,
  name2: text,
  category: text,
  category2: text,
  categoryId: id,
  season: text,
  season2: text,
  /** 'YYYY-MM-DD' */
  start: text,
  end: text,
  /** 'HH:mm', in the portal's zone */
  startTime: text,
  endTime: text,
  /** 0 Sunday to 6 Saturday */
  weekdays: v.array(v.number()),
  /** 'YYYY-MM-DD', of the lessons that take place */
  dates: v.array(text),
  venue: text,
  city: text,
  instructor: text,
  /** in euros, of the company's own people and of externals */
  price: money,
  externalPrice: money,
  places: count,
  freePlaces: count,
  cancelled: v.boolean(),
  url: text,
})
export type PublicCourse = v.InferOutput<typeof publicCourse>

export const listPublicCourses = endpoint('GET', '/api/public/courses', {
  access: 'public',
  summary: 'The programme for pages of any origin (CORS), without cookies: courses that are not over',
  query: v.object({ categoryId: v.optional(idParam) }),
  response: v.array(publicCourse),
})

export const readPublicCalendar = endpoint('GET', '/api/public/calendar/:file', {
  access: 'public',
  summary:
    'The lessons to come of `course-{id}.ics` or of all courses of `category-{id}.ics`, to be followed by any calendar',
  params: v.object({ file: v.pipe(v.string(), v.maxLength(50)) }),
  response: { file: 'text/calendar' },
})

export const readCoursePicture = endpoint('GET', '/api/public/course-picture/:file', {
  access: 'public',
  summary: 'What a course is in one picture of 1200 × 630 px, `{id}.png`, for the preview of its link',
  params: v.object({ file: v.pipe(v.string(), v.maxLength(50)) }),
  response: { file: 'image/png' },
})

const digits = v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/)))
export const readOpenActive = endpoint('GET', '/api/public/openactive', {
  access: 'public',
  summary:
    'The programme as an OpenActive feed (RPDE) of CourseInstance; `next` leads on, to the end and to what changes later',
  query: v.object({ afterTimestamp: digits, afterId: digits }),
  response: v.object({
    next: text,
    items: v.array(
      v.object({
        state: v.picklist(['updated', 'deleted']),
        kind: v.literal('CourseInstance'),
        id: text,
        /** grows with each change of an item */
        modified: v.number(),
        /** the course in the words of the OpenActive modelling specification; none of what is gone */
        data: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
    license: text,
  }),
})
