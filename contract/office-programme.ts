import * as v from 'valibot'
import { day } from './acts/act.ts'
import { COURSE, COURSE_LABELS } from './course.ts'
import { endpoint } from './endpoint.ts'
import { deskResponseEntries, type FieldTable, type FormFieldSpec, formOf, type Label } from './fields.ts'
import { pageByIdQuery, pageByTextQuery, pageSchemaOf } from './office.ts'
import {
  CATEGORY,
  CATEGORY_LABELS,
  DIVISION,
  DIVISION_LABELS,
  INSTRUCTOR,
  INSTRUCTOR_LABELS,
  ROOM,
  ROOM_LABELS,
  SEASON,
  SEASON_LABELS,
} from './programme.ts'
import { keysOf, recordOf } from './records.ts'

const text = v.string()
const number = v.number()

export const listOfficeSeasons = endpoint('office', 'GET', '/api/office/seasons', {
  rights: ['programme', 'bookings'],
  query: v.object(pageByIdQuery),
  response: pageSchemaOf(
    v.object({
      id: number,
      version: number,
      ...deskResponseEntries(SEASON),
      draft: v.boolean(),
      courses: number,
      places: number,
      booked: number,
      waiting: number,
      /** date of the last lesson with recorded attendance */
      lastRecorded: v.nullable(text),
    }),
  ),
})

export const getOfficeGrid = endpoint('office', 'GET', '/api/office/grid', {
  rights: ['programme'],
  query: v.object({ from: v.optional(day), to: v.optional(day) }),
  response: v.object({
    from: text,
    to: text,
    /** days that are public or school holidays in the region */
    holidays: v.array(text),
    /** instructors who are absent on any of these days */
    absences: v.array(v.object({ absenceId: number, instructorEmail: text, name: text, from: text, to: text })),
    lessons: v.array(
      v.object({
        courseDateId: number,
        courseId: number,
        seasonId: number,
        version: number,
        number: text,
        name: text,
        name2: text,
        date: text,
        startTime: text,
        endTime: text,
        state: v.picklist(['planned', 'cancelled']),
        /** id of the room; null if the location is not in the list of rooms */
        roomId: v.nullable(number),
        room: text,
        shared: v.boolean(),
        instructors: v.array(v.object({ email: text, name: text })),
        /** e-mail address of the substitute instructor; null if the course's own instructors teach */
        instructorEmail: v.nullable(text),
        booked: number,
        places: number,
        /** whether another lesson at this time uses the same room (unless it is shared) or one of the instructors */
        clash: v.boolean(),
        clashes: v.array(v.picklist(['room', 'instructor'])),
        /** whether all instructors of the lesson are absent */
        uncovered: v.boolean(),
      }),
    ),
  }),
})

export const listOfficeCategories = endpoint('office', 'GET', '/api/office/categories', {
  rights: ['programme'],
  query: v.object(pageByIdQuery),
  response: pageSchemaOf(v.object({ id: number, version: number, ...deskResponseEntries(CATEGORY) })),
})

export const listOfficeDivisions = endpoint('office', 'GET', '/api/office/divisions', {
  rights: ['programme'],
  query: v.object(pageByIdQuery),
  response: pageSchemaOf(v.object({ id: number, version: number, ...deskResponseEntries(DIVISION) })),
})

export const listOfficeInstructors = endpoint('office', 'GET', '/api/office/instructors', {
  rights: ['programme'],
  query: v.object(pageByTextQuery),
  response: pageSchemaOf(
    v.object({
      email: text,
      version: number,
      ...deskResponseEntries(INSTRUCTOR),
      /** number of current and future courses taught by these instructors */
      teaching: number,
    }),
  ),
})

export const COURSE_FORM = formOf(COURSE)
const fieldsOf = (table: FieldTable): FormFieldSpec[] => formOf(table).flatMap(({ fields }) => fields)
export const SEASON_FORM = fieldsOf(SEASON)
export const ROOM_FORM = fieldsOf(ROOM)
export const CATEGORY_FORM = fieldsOf(CATEGORY)
export const DIVISION_FORM = fieldsOf(DIVISION)
export const INSTRUCTOR_FORM = fieldsOf(INSTRUCTOR)

const labels: Record<string, Label> = {
  ...INSTRUCTOR_LABELS,
  ...DIVISION_LABELS,
  ...CATEGORY_LABELS,
  ...ROOM_LABELS,
  ...SEASON_LABELS,
  ...COURSE_LABELS,
}
/**
 * Labels of the fields in the office UI's forms. A field that occurs in several tables has the same label everywhere.
 */
export const FIELD_LABELS = recordOf(['de', 'en'], language =>
  recordOf(keysOf(labels), name => labels[name]?.[language] ?? ''),
)
