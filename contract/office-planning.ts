import * as v from 'valibot'
import { clock, day } from './acts/act.ts'
import { endpoint } from './endpoint.ts'
import { email, idParam } from './values.ts'

const text = v.string()
const number = v.number()

export const listAbsenceLessons = endpoint('office', 'GET', '/api/office/absence-lessons', {
  rights: ['programme'],
  query: v.object({ instructorEmail: email, from: day, to: day }),
  response: v.object({
    /** absences within the span that are already registered */
    absences: v.array(v.object({ absenceId: number, from: text, to: text })),
    /** lessons of the instructor within the span that are to be held */
    lessons: v.array(
      v.object({
        courseDateId: number,
        courseId: number,
        number: text,
        name: text,
        name2: text,
        date: text,
        startTime: text,
        endTime: text,
        room: text,
        booked: number,
        /** substitute instructor; null: the course's own instructors teach */
        instructorEmail: v.nullable(text),
        /** instructors who are free then: those who teach the category most often first */
        free: v.array(v.object({ email: text, name: text, taught: number })),
        /** instructors who teach another lesson then: number of its course, and until when, 'HH:mm' */
        busy: v.array(v.object({ email: text, name: text, number: text, until: text })),
      }),
    ),
  }),
})

/** How many of the lessons something else needs it, and the first of those: number and name of the course. */
const taken = { taken: number, by: text }

export const listFree = endpoint('office', 'GET', '/api/office/free', {
  rights: ['programme'],
  query: v.object({
    from: day,
    to: day,
    startTime: clock,
    endTime: clock,
    /** weekly on the weekday of the first day without it */
    weekday: v.optional(v.pipe(v.string(), v.regex(/^[0-6]$/))),
    /** its own lessons need nothing */
    courseId: v.optional(idParam),
  }),
  response: v.object({
    /** days of the lessons, without the region's holidays */
    dates: v.array(text),
    /** holidays on which a weekly course has no lesson */
    holidays: v.array(v.object({ date: text, name: text })),
    rooms: v.array(v.object({ roomId: number, name: text, site: text, capacity: number, ...taken })),
    instructors: v.array(v.object({ email: text, name: text, ...taken })),
  }),
})

export const listSeasonChecks = endpoint('office', 'GET', '/api/office/season-checks', {
  rights: ['programme'],
  query: v.object({ seasonId: idParam }),
  response: v.object({
    items: v.array(
      v.object({
        courseId: number,
        /** number and name */
        name: text,
        kinds: v.array(v.picklist(['withoutLessons', 'fewerLessons', 'clash', 'withoutInstructor', 'withoutPlace'])),
        lessons: number,
        /** lessons of the course that it was copied from; null: it is no copy */
        before: v.nullable(number),
        clashes: number,
        /** number and name of the course that the first clash is with; empty: there is none */
        other: text,
      }),
    ),
  }),
})
