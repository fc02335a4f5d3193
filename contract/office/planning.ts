import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { dateField, timeOfDayField } from '../tables/field-schemas.ts'
import { email, idParam, SINGLE_LINE_TEXT_PATTERN } from '../values.ts'

const text = v.string()
const number = v.number()

/** A future lesson with its number of participants. */
const lesson = {
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
}

/** Lessons with the instructors who are available as substitutes. */
const lessonsToCover = v.array(
  v.object({
    ...lesson,
    /** e-mail address of the substitute instructor; null if the course's own instructors teach */
    instructorEmail: v.nullable(text),
    /** instructors who are available at this time, starting with those who teach the category most often */
    free: v.array(v.object({ email: text, name: text, taught: number })),
    /**
     * instructors who teach another lesson at this time, with the number of its course and the time at which it
     * ends, 'HH:mm'
     */
    busy: v.array(v.object({ email: text, name: text, number: text, until: text })),
  }),
)

export const listAbsenceLessons = endpoint('office', 'GET', '/api/office/absence-lessons', {
  rights: ['programme'],
  query: v.object({ instructorEmail: email, from: dateField, to: dateField }),
  response: v.object({
    /** registered absences of the instructor that overlap the period from `from` to `to` */
    absences: v.array(v.object({ absenceId: number, from: text, to: text })),
    /** the instructor's lessons in the period from `from` to `to` that have not taken place yet */
    lessons: lessonsToCover,
  }),
})

export const listSubstituteCandidates = endpoint('office', 'GET', '/api/office/substitute-candidates', {
  rights: ['programme'],
  query: v.object({
    /** ids of the lessons, separated by commas */
    courseDateIds: v.pipe(v.string(), v.regex(/^\d{1,9}(?:,\d{1,9}){0,499}$/)),
  }),
  response: v.object({ lessons: lessonsToCover }),
})

/** A page for the door of each room on each day: which course when, and with whom. */
export const getRoomSheets = endpoint('office', 'GET', '/api/office/room-sheets.pdf', {
  isCostly: true,
  rights: ['programme', 'bookings'],
  query: v.object({
    /** defaults to today */
    from: v.optional(dateField),
    /** defaults to `from`; at most six days later */
    to: v.optional(dateField),
    /** name of a room or venue; defaults to all */
    room: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  response: { file: 'application/pdf' },
})

export const listClosureLessons = endpoint('office', 'GET', '/api/office/closure-lessons', {
  rights: ['programme'],
  query: v.object({
    /** ids of the rooms, separated by commas; missing if a site is closed */
    roomIds: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}(?:,\d{1,9}){0,199}$/))),
    site: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(SINGLE_LINE_TEXT_PATTERN))),
    from: dateField,
    to: dateField,
  }),
  response: v.object({
    /** lessons in these rooms or at this site that have not taken place yet */
    lessons: v.array(
      v.object({
        ...lesson,
        /** id of the lesson's own room; null if that of the course applies */
        roomId: v.nullable(number),
        /** rooms that are open, free and large enough at this time, those at the same site first */
        free: v.array(v.object({ roomId: number, name: text, site: text, capacity: number })),
      }),
    ),
  }),
})

/**
 * Number of lessons for which the room or instructor is already taken, and the number and name of the first conflicting
 * course.
 */
const taken = { taken: number, by: text }

export const listFree = endpoint('office', 'GET', '/api/office/free', {
  rights: ['programme'],
  query: v.object({
    from: dateField,
    to: dateField,
    startTime: timeOfDayField,
    endTime: timeOfDayField,
    /** weekday on which the lessons repeat; defaults to that of the first day */
    weekday: v.optional(v.pipe(v.string(), v.regex(/^[0-6]$/))),
    /** course whose lessons are not treated as conflicts */
    courseId: v.optional(idParam),
  }),
  response: v.object({
    /** dates of the lessons; a weekly course has no lesson on holidays */
    dates: v.array(text),
    /** holidays on which a weekly course would have had a lesson */
    holidays: v.array(v.object({ date: text, name: text })),
    rooms: v.array(v.object({ roomId: number, name: text, site: text, capacity: number, equipment: text, ...taken })),
    instructors: v.array(v.object({ email: text, name: text, ...taken })),
  }),
})

/** What a current course of a season may lack. */
export const COURSE_CHECKS = [
  'withoutLessons',
  'fewerLessons',
  'clash',
  'closed',
  'withoutInstructor',
  'licence',
  'withoutPlace',
  'withoutRoom',
  'belowMinimum',
  'outsideSeason',
  'withoutEnglish',
] as const
export type CourseCheck = (typeof COURSE_CHECKS)[number]

export const listSeasonChecks = endpoint('office', 'GET', '/api/office/season-checks', {
  rights: ['programme'],
  query: v.object({ seasonId: idParam }),
  response: v.object({
    items: v.array(
      v.object({
        courseId: number,
        /** number and name */
        name: text,
        kinds: v.array(v.picklist(COURSE_CHECKS)),
        lessons: number,
        /** number of lessons of the course from which this one was copied; null if it is not a copy */
        before: v.nullable(number),
        clashes: number,
        /** number and name of the first conflicting course; empty if there is none */
        other: text,
      }),
    ),
  }),
})
