import { COURSE_FIELD_DESCRIPTIONS, COURSE_FIELDS } from '../tables/course.ts'
import { fieldDescriptionsOf } from '../tables/fields.ts'
import { PROFILE_FIELD_LABELS } from '../tables/person.ts'
import {
  CATEGORY_FIELD_DESCRIPTIONS,
  CATEGORY_FIELDS,
  DIVISION_FIELD_DESCRIPTIONS,
  DIVISION_FIELDS,
  INSTRUCTOR_FIELD_DESCRIPTIONS,
  INSTRUCTOR_FIELDS,
  ROOM_FIELD_DESCRIPTIONS,
  ROOM_FIELDS,
  SEASON_FIELD_DESCRIPTIONS,
  SEASON_FIELDS,
} from '../tables/programme.ts'
import { moneyFieldDescriptions } from './money.ts'
import { officeFieldDescriptions } from './office.ts'
import { certificateFieldDescriptions, ownDataFieldDescriptions } from './own-data.ts'
import { peopleFieldDescriptions } from './people.ts'
import { programmeFieldDescriptions } from './programme.ts'

/** Assigns the same field descriptions to several types, endpoints or actions. */
const describeFieldsOf = (holders: string[], descriptions: Record<string, string>) =>
  Object.fromEntries(
    holders.flatMap(holder => Object.entries(descriptions).map(([field, text]) => [`${holder}.${field}`, text])),
  )

/**
 * Description of each API field for client developers, by field name. A qualified key such as `price.fee` or
 * `create-token.token` takes precedence where the name has a different meaning. Profile fields without an entry of their
 * own are described by their label.
 */
export const FIELD_DESCRIPTIONS: Record<string, string> = {
  ...PROFILE_FIELD_LABELS.en,
  ...moneyFieldDescriptions,
  ...certificateFieldDescriptions,
  ...fieldDescriptionsOf('season', SEASON_FIELDS, SEASON_FIELD_DESCRIPTIONS),
  ...fieldDescriptionsOf('course', COURSE_FIELDS, COURSE_FIELD_DESCRIPTIONS),
  ...fieldDescriptionsOf('room', ROOM_FIELDS, ROOM_FIELD_DESCRIPTIONS),
  ...fieldDescriptionsOf('category', CATEGORY_FIELDS, CATEGORY_FIELD_DESCRIPTIONS),
  ...fieldDescriptionsOf('division', DIVISION_FIELDS, DIVISION_FIELD_DESCRIPTIONS),
  ...fieldDescriptionsOf('instructor', INSTRUCTOR_FIELDS, INSTRUCTOR_FIELD_DESCRIPTIONS),
  ...programmeFieldDescriptions,
  ...peopleFieldDescriptions,
  ...ownDataFieldDescriptions,
  ...officeFieldDescriptions,
  ...describeFieldsOf(['webUser', 'register', 'editWebUser', 'profile', 'create-person', 'change-person'], {
    title: 'Academic title',
    city: 'City of the home address',
    location: 'Location of the workplace',
  }),
  ...describeFieldsOf(['odds'], {
    position: 'Present position of the user on the waiting list',
    people: 'Number of people who had this position on past waiting lists',
    placed: 'How many of them got a seat',
    placedSoon: 'How many of them got a seat within 7 days after they had reached the position',
  }),
  odds: 'Outcome for people with the same position; null: the user is not waiting, or there are too few past cases',
  ...describeFieldsOf(['reminders', 'getReminders', 'changeReminders'], {
    waiting: 'Channels for changes to the position on a waiting list',
    changes: 'Channels for changes to a booked course',
  }),
}

/** Endpoints whose body or response contains the fields of a shared type. */
const EXTENDED: Readonly<Record<string, string>> = {
  bookCourse: 'course',
  cancelCourse: 'course',
  announceAbsence: 'dateTimeValue',
}

/**
 * Key of a field's description; undefined if there is none.
 * @param holders enclosing names, outermost first: the endpoint or shared type, then the fields
 */
export function descriptionKey(holders: readonly string[], field: string): string | undefined {
  const all = holders.flatMap(holder => [EXTENDED[holder] ?? [], holder].flat())
  const keys = [...all.map(holder => `${holder}.${field}`).reverse(), field]
  return keys.find(key => key in FIELD_DESCRIPTIONS)
}
