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
  ...describeFieldsOf(['getBookingOrder'], {
    seasonId: 'Season whose order is published',
    publishedAt: 'Time of the publication (UTC, ISO 8601)',
    courses: 'Courses with requests',
    digest: 'SHA-256 of the roots of all courses, by ascending course id',
    root: 'Merkle root of the course’s requests (RFC 9162, SHA-256)',
    requests: 'Number of requests with a booking or a position on the waiting list',
    refused: 'Number of requests that were refused because the course was full',
    places: 'Number of places at the time of the publication',
    seconds: 'Requests per second since the first course opened',
    second: 'Second in which the requests were received (UTC, ISO 8601)',
  }),
  ...describeFieldsOf(['request'], {
    number: 'Number of the request in the order of the course, starting at 1',
    requests: 'Number of requests for the course',
    askedAt: 'Time at which the request was received (UTC, ISO 8601, with milliseconds)',
    places: 'Number of places of the course',
    proof: 'Proof that the request is part of the published order; null: not published, or made later',
  }),
  ...describeFieldsOf(['proof'], {
    seasonId: 'Season whose order is published',
    leaf: 'Text of the leaf: course id, number, time and a random token, separated by |',
    path: 'Merkle path from the leaf to the root, lowest hash first',
  }),
  request: 'The user’s request; null: the user has no active booking in the course',
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
  changeLessonPlace: 'dateTimeValue',
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
