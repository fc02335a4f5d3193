import * as v from 'valibot'
import { day } from './acts/act.ts'
import { endpoint } from './endpoint.ts'
import { email } from './values.ts'

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
