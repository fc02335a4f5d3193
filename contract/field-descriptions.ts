import { COURSE, COURSE_DESCRIPTIONS } from './course.ts'
import { deskDescriptions } from './descriptions/desk.ts'
import { moneyDescriptions } from './descriptions/money.ts'
import { certificateDescriptions, ownDataDescriptions } from './descriptions/own-data.ts'
import { peopleDescriptions } from './descriptions/people.ts'
import { programmeDescriptions } from './descriptions/programme.ts'
import { descriptionsOf } from './fields.ts'
import { PROFILE_FIELD_LABELS } from './person.ts'
import {
  CATEGORY,
  CATEGORY_DESCRIPTIONS,
  DIVISION,
  DIVISION_DESCRIPTIONS,
  INSTRUCTOR,
  INSTRUCTOR_DESCRIPTIONS,
  ROOM,
  ROOM_DESCRIPTIONS,
  SEASON,
  SEASON_DESCRIPTIONS,
} from './programme.ts'

/** Assigns the same field descriptions to several types, endpoints or actions. */
const wordsIn = (holders: string[], words: Record<string, string>) =>
  Object.fromEntries(
    holders.flatMap(holder => Object.entries(words).map(([field, sentence]) => [`${holder}.${field}`, sentence])),
  )

/**
 * Meaning and unit of each API field, by field name. A qualified key such as `price.fee` or `create-token.token` takes
 * precedence where the name has a different meaning. The texts are plain English for client developers. Profile fields
 * without an entry are self-explanatory.
 */
export const FIELD_DESCRIPTIONS: Record<string, string> = {
  ...PROFILE_FIELD_LABELS.en,
  ...moneyDescriptions,
  ...certificateDescriptions,
  ...descriptionsOf('season', SEASON, SEASON_DESCRIPTIONS),
  ...descriptionsOf('course', COURSE, COURSE_DESCRIPTIONS),
  ...descriptionsOf('room', ROOM, ROOM_DESCRIPTIONS),
  ...descriptionsOf('category', CATEGORY, CATEGORY_DESCRIPTIONS),
  ...descriptionsOf('division', DIVISION, DIVISION_DESCRIPTIONS),
  ...descriptionsOf('instructor', INSTRUCTOR, INSTRUCTOR_DESCRIPTIONS),
  ...programmeDescriptions,
  ...peopleDescriptions,
  ...ownDataDescriptions,
  ...deskDescriptions,
  ...wordsIn(['webUser', 'register', 'editWebUser', 'profile', 'create-person', 'change-person'], {
    title: 'Academic title',
    city: 'City of the home address',
    location: 'Where the person works',
  }),
  ...wordsIn(['reminders', 'getReminders', 'changeReminders'], {
    waiting: 'News of the place on a waiting list',
    changes: 'Changes of a booked course',
  }),
}

/** Endpoints whose response extends a shared type. */
const EXTENDED: Readonly<Record<string, string>> = { bookCourse: 'course', cancelCourse: 'course' }

/**
 * Key of a field's description; undefined if there is none.
 * @param holders enclosing names, outermost first: the endpoint or shared type, then the fields
 */
export function descriptionKey(holders: readonly string[], field: string): string | undefined {
  const all = holders.flatMap(holder => [EXTENDED[holder] ?? [], holder].flat())
  const keys = [...all.map(holder => `${holder}.${field}`).reverse(), field]
  return keys.find(key => key in FIELD_DESCRIPTIONS)
}
