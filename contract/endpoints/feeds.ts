import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { recordFromKeys } from '../records.ts'
import { PUBLIC_FIELDS } from '../tables/course.ts'
import { count, id, idParam, money } from '../values.ts'

const text = v.string()

/**
 * Course data that anyone may republish. Fields with the suffix 2 are in the second language. Dates are formatted as
 * 'YYYY-MM-DD' and times as 'HH:mm' in the portal's time zone.
 */
export const publicCourse = v.object({
  id,
  ...recordFromKeys(PUBLIC_FIELDS, () => text),
  category: text,
  category2: text,
  categoryId: id,
  season: text,
  season2: text,
  /** weekday from 0 (Sunday) to 6 (Saturday) */
  weekdays: v.array(v.number()),
  /** dates of the lessons that take place, 'YYYY-MM-DD' */
  dates: v.array(text),
  /** total price in euros for members of the company, and `externalPrice` for external participants */
  price: money,
  externalPrice: money,
  places: count,
  freePlaces: count,
  cancelled: v.boolean(),
  url: text,
})
export type PublicCourse = v.InferOutput<typeof publicCourse>

export const listPublicCourses = endpoint('public', 'GET', '/api/public/courses', {
  query: v.object({ categoryId: v.optional(idParam) }),
  response: v.array(publicCourse),
})

export const readPublicCalendar = endpoint('public', 'GET', '/api/public/calendar/:file', {
  params: v.object({ file: v.pipe(v.string(), v.maxLength(50)) }),
  query: v.object({ lang: v.optional(v.picklist(['de', 'en'])) }),
  response: { file: 'text/calendar' },
})

export const readCoursePicture = endpoint('public', 'GET', '/api/public/course-picture/:file', {
  params: v.object({ file: v.pipe(v.string(), v.maxLength(50)) }),
  response: { file: 'image/png' },
})

const digits = v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/)))
export const readOpenActive = endpoint('public', 'GET', '/api/public/openactive', {
  query: v.object({ afterTimestamp: digits, afterId: digits }),
  response: v.object({
    next: text,
    items: v.array(
      v.object({
        state: v.picklist(['updated', 'deleted']),
        kind: v.literal('CourseInstance'),
        id: text,
        /** sequence number, incremented with every change to an item */
        modified: v.number(),
        /** the course as defined by the OpenActive modelling specification; missing if the course was deleted */
        data: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
    license: text,
  }),
})
