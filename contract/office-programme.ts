import * as v from 'valibot'
import { day } from './acts/act.ts'
import { instructorProfile } from './content.ts'
import { endpoint } from './endpoint.ts'
import { listOf, pageById, pageByText } from './office.ts'

const text = v.string()
const number = v.number()

export const listOfficeSeasons = endpoint('office', 'GET', '/api/office/seasons', {
  rights: ['programme', 'bookings'],
  query: v.object(pageById),
  response: listOf(
    v.object({
      id: number,
      version: number,
      name: text,
      name2: text,
      description: text,
      description2: text,
      shortcut: text,
      /** 'YYYY-MM-DDTHH:mm' */
      bookableFrom: text,
      viewableFrom: text,
      /** 'YYYY-MM-DD' */
      startsAt: v.nullable(text),
      endsAt: v.nullable(text),
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
    /** public and school holidays of the region within these days */
    holidays: v.array(text),
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
        /** null: the location is not in the list of rooms */
        roomId: v.nullable(number),
        room: text,
        shared: v.boolean(),
        instructors: v.array(v.object({ email: text, name: text })),
        /** substitute instructor; null: the course's own instructors teach */
        instructorEmail: v.nullable(text),
        booked: number,
        places: number,
        /** overlaps with another lesson in an unshared room, or with another lesson of one of its instructors */
        clash: v.boolean(),
        clashes: v.array(v.picklist(['room', 'instructor'])),
      }),
    ),
  }),
})

export const listOfficeCategories = endpoint('office', 'GET', '/api/office/categories', {
  rights: ['programme'],
  query: v.object(pageById),
  response: listOf(v.object({ id: number, version: number, name: text, name2: text, icon: text })),
})

export const listOfficeDivisions = endpoint('office', 'GET', '/api/office/divisions', {
  rights: ['programme'],
  query: v.object(pageById),
  response: listOf(v.object({ id: number, version: number, name: text, onlineOnly: v.boolean() })),
})

export const listOfficeInstructors = endpoint('office', 'GET', '/api/office/instructors', {
  rights: ['programme'],
  query: v.object(pageByText),
  response: listOf(
    v.object({
      email: text,
      version: number,
      ...instructorProfile.entries,
      yearOfBirth: v.nullable(number),
      /** number of current and future courses that reference them */
      teaching: number,
    }),
  ),
})
