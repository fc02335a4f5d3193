import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { count, id, weekday } from '../values.ts'

const text = v.string()

const rehearsedCourse = v.object({
  courseId: id,
  number: text,
  name: text,
  name2: text,
  places: count,
  /** requests, including those that were refused then because the course was full */
  requests: count,
  booked: count,
  waiting: count,
  refused: count,
  /** milliseconds from the opening until the last place is taken; null if places remain */
  fullAfterMs: v.nullable(count),
  /** most requests within one second */
  peak: count,
  /** how the demand was assigned: from the original of the copy, or from courses of the same category, weekday and hour */
  basis: v.nullable(v.picklist(['copy', 'similar'])),
  /** courses of the same category in which people without a place would have found one, nearest first */
  neighbours: v.array(v.object({ courseId: id, number: text, people: count })),
  /** people without a place, for whom no neighbouring course has one either */
  unplaced: count,
})
export type RehearsedCourse = v.InferOutput<typeof rehearsedCourse>

/**
 * Books the demand of an earlier season in a draft season with the booking statement, in a transaction that is rolled
 * back: what would happen when booking opens.
 */
export const rehearseOpening = endpoint('office', 'POST', '/api/office/rehearsals', {
  rights: ['programme'],
  body: v.object({
    /** the draft season */
    seasonId: id,
    /** the season whose demand is used */
    demandSeasonId: id,
  }),
  isCostly: true,
  response: v.object({
    people: count,
    requests: count,
    /** requests for courses that have no counterpart in the draft */
    unassigned: count,
    courses: v.array(rehearsedCourse),
    /** what one more course of a kind would give, most people first */
    gains: v.array(
      v.object({
        courseCategoryId: id,
        category: text,
        category2: text,
        city: text,
        weekday,
        hour: count,
        /** people without a place in courses of this kind */
        people: count,
        /** seats of a usual course of the kind */
        places: count,
      }),
    ),
  }),
})
export type Rehearsal = v.InferOutput<(typeof rehearseOpening)['response']>
