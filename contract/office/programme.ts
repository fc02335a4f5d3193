import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { keysOf, recordFromKeys } from '../records.ts'
import { COURSE_FIELDS, COURSE_LABELS } from '../tables/course.ts'
import { dateField } from '../tables/field-schemas.ts'
import {
  type FieldDefinitions,
  type FormFieldSpec,
  formLayoutOf,
  type Label,
  officeResponseFieldSchemas,
} from '../tables/fields.ts'
import {
  CATEGORY_FIELDS,
  CATEGORY_LABELS,
  DIVISION_FIELDS,
  DIVISION_LABELS,
  INSTRUCTOR_FIELDS,
  INSTRUCTOR_LABELS,
  ROOM_FIELDS,
  ROOM_LABELS,
  SEASON_FIELDS,
  SEASON_LABELS,
} from '../tables/programme.ts'
import { pageSchemaOf, pagingByIdQuery, pagingByTextQuery } from './office.ts'

const text = v.string()
const number = v.number()

export const listOfficeSeasons = endpoint('office', 'GET', '/api/office/seasons', {
  rights: ['programme', 'bookings'],
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(
    v.object({
      id: number,
      version: number,
      ...officeResponseFieldSchemas(SEASON_FIELDS),
      draft: v.boolean(),
      courses: number,
      places: number,
      booked: number,
      waiting: number,
      /** date of the last lesson with recorded attendance */
      lastRecorded: v.nullable(text),
      /** whether the order of its booking requests is published */
      orderPublished: v.boolean(),
    }),
  ),
})

export const getOfficeGrid = endpoint('office', 'GET', '/api/office/grid', {
  rights: ['programme'],
  query: v.object({ from: v.optional(dateField), to: v.optional(dateField) }),
  response: v.object({
    from: text,
    to: text,
    /** days that are public or school holidays in the region */
    holidays: v.array(text),
    /** instructors who are absent on any of these days */
    absences: v.array(v.object({ absenceId: number, instructorEmail: text, name: text, from: text, to: text })),
    /**
     * rooms or sites that are closed on any of these days; `name` is that of the site, or the names of the rooms;
     * `roomIds` are the closed rooms, those of the site if it is closed
     */
    closures: v.array(
      v.object({ closureId: number, roomIds: v.array(number), site: text, name: text, from: text, to: text }),
    ),
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
        /**
         * whether another lesson at this time uses the same room (unless it is shared) or one of the instructors, or the
         * room is closed
         */
        clash: v.boolean(),
        clashes: v.array(v.picklist(['room', 'instructor'])),
        /** whether all instructors of the lesson are absent */
        uncovered: v.boolean(),
        /** whether its room or site is closed on that day */
        closed: v.boolean(),
      }),
    ),
  }),
})

export const listOfficeCategories = endpoint('office', 'GET', '/api/office/categories', {
  rights: ['programme'],
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(v.object({ id: number, version: number, ...officeResponseFieldSchemas(CATEGORY_FIELDS) })),
})

export const listCourseTemplates = endpoint('office', 'GET', '/api/office/course-templates', {
  rights: ['programme'],
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(
    v.object({
      templateId: number,
      version: number,
      templateName: text,
      /** fields of courses.csv, in the format that `create-course` accepts */
      fields: v.record(text, v.unknown()),
    }),
  ),
})

export const listOfficeDivisions = endpoint('office', 'GET', '/api/office/divisions', {
  rights: ['programme'],
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(v.object({ id: number, version: number, ...officeResponseFieldSchemas(DIVISION_FIELDS) })),
})

export const listOfficeInstructors = endpoint('office', 'GET', '/api/office/instructors', {
  rights: ['programme'],
  query: v.object(pagingByTextQuery),
  response: v.object({
    ...pageSchemaOf(
      v.object({
        email: text,
        version: number,
        ...officeResponseFieldSchemas(INSTRUCTOR_FIELDS),
        /** number of current and future courses taught by these instructors */
        teaching: number,
      }),
    ).entries,
    /** displayed names of courses without an instructor, with their future lessons */
    unknown: v.array(v.object({ name: text, courses: number, lessons: number })),
  }),
})

export const COURSE_FORM_GROUPS = formLayoutOf(COURSE_FIELDS)
const fieldsOf = (table: FieldDefinitions): FormFieldSpec[] => formLayoutOf(table).flatMap(({ fields }) => fields)
export const SEASON_FORM_FIELDS = fieldsOf(SEASON_FIELDS)
export const ROOM_FORM_FIELDS = fieldsOf(ROOM_FIELDS)
export const CATEGORY_FORM_FIELDS = fieldsOf(CATEGORY_FIELDS)
export const DIVISION_FORM_FIELDS = fieldsOf(DIVISION_FIELDS)
export const INSTRUCTOR_FORM_FIELDS = fieldsOf(INSTRUCTOR_FIELDS)

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
export const FIELD_LABELS = recordFromKeys(['de', 'en'], language =>
  recordFromKeys(keysOf(labels), name => labels[name]?.[language] ?? ''),
)
