import * as v from 'valibot'
import { ACT_SCOPES, actBody, rightsForAct } from '../acts/acts.ts'
import { CANCELLATION_CHARGES } from '../acts/bookings.ts'
import { endpoint } from '../endpoint.ts'
import { course } from '../endpoints/courses.ts'
import { dateField } from '../tables/field-schemas.ts'
import { officeResponseFieldSchemas } from '../tables/fields.ts'
import { ROOM_FIELDS } from '../tables/programme.ts'
import { count, failureCode, idParam, idParams, MAX_ID, right, SINGLE_LINE_TEXT_PATTERN } from '../values.ts'

/** A person's id and name. The id is 0 for an instructor without an account. */
const named = v.object({ id: v.number(), name: v.string() })

/** Effects of an action, either actual or previewed. */
export const actConsequences = v.object({
  mails: count,
  letters: count,
  messages: count,
  pushes: count,
  /** people who received a seat or a position on the waiting list */
  booked: v.array(named),
  /** people whose booking or waiting-list entry ended */
  ended: v.array(named),
  /** people promoted from the waiting list */
  promoted: v.array(named),
  told: v.array(named),
  /** people who can be reached neither by e-mail nor by push notification */
  call: v.array(v.object({ id: v.number(), name: v.string(), phone: v.string() })),
  /** people or rooms with overlapping lessons */
  clashes: v.array(
    v.object({
      person: v.optional(v.string()),
      room: v.optional(v.string()),
      instructor: v.optional(v.string()),
      /** id of the conflicting course, with its number and name */
      courseId: v.number(),
      name: v.optional(v.string()),
      /** 'YYYY-MM-DDTHH:mm' */
      at: v.string(),
    }),
  ),
  /**
   * result of a programme action: the `lessons` of a single course, or the courses that need to be reviewed if there
   * are several
   */
  made: v.optional(
    v.object({
      courses: count,
      /** 'YYYY-MM-DDTHH:mm' */
      lessons: v.array(v.string()),
      /** days ('YYYY-MM-DD') on which a weekly course has no lesson, with the reason */
      holidays: v.array(v.object({ date: v.string(), name: v.string() })),
      /** courses with fewer lessons than before, identified by number and name */
      fewerLessons: v.array(v.object({ number: v.string(), name: v.string(), before: count, now: count })),
      withoutLessons: v.array(v.object({ number: v.string(), name: v.string() })),
      /** copied lessons outside the rhythm of their course, 'YYYY-MM-DDTHH:mm' */
      review: v.optional(
        v.array(v.object({ number: v.string(), name: v.string(), from: v.string(), to: v.string(), why: v.string() })),
      ),
    }),
  ),
})
export type ActConsequences = v.InferOutput<typeof actConsequences>

export const ACT_STATUSES = ['Ok', 'Failed', 'Changed', 'Reason'] as const

export const actResponse = v.object({
  status: v.picklist(ACT_STATUSES),
  message: v.string(),
  /** failure code; missing if the status is `Ok` */
  code: failureCode,
  /** id of the audit log entry; null for a preview */
  recordId: v.nullable(v.number()),
  /** the object's version after the action; null if the object is not versioned */
  version: v.nullable(v.number()),
  /** ids of created objects, or `errors` of an import */
  result: v.record(v.string(), v.unknown()),
  consequences: actConsequences,
  /** whether the action can be undone for 10 s; its e-mails are held until then */
  undoable: v.optional(v.boolean()),
})
export type ActResponse = v.InferOutput<typeof actResponse>

export const performAct = endpoint('office', 'POST', '/api/office/acts', {
  scopes: ACT_SCOPES,
  rights: rightsForAct,
  body: actBody,
  maxBytes: 16 * 1024 * 1024,
  response: actResponse,
})

const page = {
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.number(), v.minValue(1), v.maxValue(500)),
  ),
}
/** Query parameters of a paginated list: page size, and the id after which the page starts (keyset pagination). */
export const pagingByIdQuery = {
  ...page,
  after: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d*$/),
      v.transform(digits => Math.min(Number(digits), MAX_ID)),
    ),
  ),
}
const harmless = (max: number) => v.optional(v.pipe(v.string(), v.maxLength(max), v.regex(SINGLE_LINE_TEXT_PATTERN)))
export const pagingByTextQuery = { ...page, after: harmless(200) }
const idQuery = v.optional(idParam)
export const pageSchemaOf = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ items: v.array(item), next: v.nullable(v.string()) })
const text = v.string()
const number = v.number()
/** Amount due in euros after a booking is cancelled. */
export const cancellationChargeFields = { charge: v.picklist(CANCELLATION_CHARGES), chargeAmount: number }
/**
 * Cancellation terms: the processing fee included in the price, and the end of free cancellation ('YYYY-MM-DDTHH:mm'),
 * which is null for a person without a seat.
 */
export const cancellationTermsFields = { processingFee: number, freeUntil: v.nullable(text) }
export const personInCourse = v.object({
  webUserId: number,
  name: text,
  phone: text,
  employeeStatus: v.nullable(number),
  billingType: v.nullable(number),
  /** number of recorded lessons to which the person belongs, and of those that the person attended */
  held: number,
  present: number,
  since: text,
  price: number,
  ...cancellationChargeFields,
  ...cancellationTermsFields,
})

export const listOfficeCourses = endpoint('office', 'GET', '/api/office/courses', {
  scopes: ['programme-read', 'programme'],
  rights: ['programme', 'bookings'],
  query: v.object({ ...pagingByIdQuery, seasonId: idQuery }),
  response: pageSchemaOf(
    v.object({
      id: number,
      version: number,
      number: text,
      name: text,
      name2: text,
      seasonId: number,
      courseCategoryId: number,
      start: text,
      end: text,
      startTime: text,
      endTime: text,
      venue: text,
      /** displayed names of the instructors */
      instructor: text,
      confirmed: v.boolean(),
      cancelled: v.boolean(),
      places: number,
      booked: number,
      waiting: number,
      /** date of the last lesson with recorded attendance */
      lastRecorded: v.nullable(text),
    }),
  ),
})

export const getOfficeCourse = endpoint('office', 'GET', '/api/office/courses/:id', {
  scopes: ['lists', 'programme-read', 'programme'],
  rights: ['programme', 'bookings'],
  namesPeople: true,
  params: idParams,
  response: v.object({
    version: number,
    course,
    /** columns of courses.csv, in the format that `change-course` accepts */
    columns: v.record(v.string(), v.unknown()),
    lessons: v.array(
      v.object({
        courseDateId: number,
        date: text,
        startTime: text,
        endTime: text,
        state: v.picklist(['planned', 'cancelled']),
        room: text,
        instructor: text,
        note: text,
        note2: text,
        /** id of the room, and e-mail address of the substitute instructor; null if there is none */
        roomId: v.nullable(number),
        instructorEmail: v.nullable(text),
        /** number of people present; null if nothing was recorded */
        present: v.nullable(number),
        /** whether the lesson is excluded from everyone's attendance */
        excluded: v.boolean(),
        /** number of instructors who were asked to be the substitute and have not answered yet */
        asked: number,
        /** people who have the place of this lesson that a seat holder freed; empty without the right `bookings` */
        guests: v.array(v.object({ webUserId: number, name: text })),
      }),
    ),
    booked: v.array(personInCourse),
    waiting: v.array(personInCourse),
    former: v.array(personInCourse),
    messages: v.array(v.object({ recordId: number, at: text, kind: text, text })),
  }),
})

export const getLessonAttendance = endpoint('office', 'GET', '/api/office/lessons/:id/attendance', {
  rights: ['bookings'],
  namesPeople: true,
  params: idParams,
  response: v.object({
    courseDateId: number,
    courseId: number,
    number: text,
    name: text,
    name2: text,
    /** 'YYYY-MM-DDTHH:mm' */
    at: text,
    people: v.array(
      v.object({
        webUserId: number,
        name: text,
        /** null: nothing was recorded */
        isPresent: v.nullable(v.boolean()),
        /** has a place that was freed for this lesson */
        isGuest: v.optional(v.literal(true)),
      }),
    ),
  }),
})

const yes = v.optional(v.literal('1'))
/** Filters that are ignored unless the user has the `bookings` right. */
const peopleFilters = {
  status: idQuery,
  divisionId: idQuery,
  /** people with a seat in a course of this season */
  seasonId: idQuery,
  /** people with an amount that is neither paid nor covered by a credit */
  owes: yes,
  /** people on payroll whose personnel number is not verified */
  unverified: yes,
}

export const listOfficePeople = endpoint('office', 'GET', '/api/office/people', {
  rights: ['bookings', 'owner'],
  namesPeople: true,
  query: v.object({ ...pagingByIdQuery, q: harmless(100), ...peopleFilters }),
  response: pageSchemaOf(
    v.object({
      id: number,
      name: text,
      email: text,
      personnelNumber: v.optional(text),
      state: v.optional(text),
      isVerified: v.optional(v.boolean()),
      version: v.optional(number),
      employeeStatus: v.optional(v.nullable(number)),
      division: v.optional(text),
      /** number of current bookings, excluding waiting-list entries */
      booked: v.optional(number),
    }),
  ),
})

const samePerson = v.object({
  id: number,
  name: text,
  email: text,
  personnelNumber: text,
  yearOfBirth: v.nullable(number),
})

export const listDuplicates = endpoint('office', 'GET', '/api/office/duplicates', {
  rights: ['bookings'],
  namesPeople: true,
  query: v.object({
    ...page,
    /** reason and ids of the last pair of the page before */
    after: v.optional(v.pipe(v.string(), v.regex(/^(?:number|name)\.\d{1,10}\.\d{1,10}$/))),
  }),
  response: pageSchemaOf(
    v.object({
      /** the account with more bookings */
      person: samePerson,
      other: samePerson,
      /**
       * why the accounts may belong to the same person: they have the same personnel number, or the same name and no
       * conflicting year of birth
       */
      why: v.picklist(['number', 'name']),
    }),
  ),
})

export const listRights = endpoint('office', 'GET', '/api/office/rights', {
  rights: ['owner'],
  namesPeople: true,
  query: v.object(pagingByIdQuery),
  response: v.object({
    ...pageSchemaOf(
      v.object({
        webUserId: number,
        name: text,
        email: text,
        rights: v.array(right),
        /** rights of an invitation, which the first login turns into `rights` */
        pending: v.array(right),
        passkeys: number,
      }),
    ).entries,
    /** whether the rights require a session that was confirmed by a passkey (setting `OFFICE_PASSKEY`) */
    isPasskeyRequired: v.boolean(),
  }),
})

export const listRooms = endpoint('office', 'GET', '/api/office/rooms', {
  rights: ['programme'],
  query: v.object(pagingByIdQuery),
  response: v.object({
    items: v.array(v.object({ roomId: number, version: number, ...officeResponseFieldSchemas(ROOM_FIELDS) })),
    next: v.nullable(text),
    /**
     * locations that courses use but that are missing from the list of rooms, with their future lessons; `capacity` is
     * that of the largest course
     */
    unknown: v.array(v.object({ name: text, site: text, capacity: number, courses: number, lessons: number })),
  }),
})

export const listRecord = endpoint('office', 'GET', '/api/office/record', {
  rights: ['record', 'owner'],
  namesPeople: true,
  query: v.object({
    ...pagingByIdQuery,
    kind: harmless(50),
    person: idQuery,
    course: idQuery,
    from: v.optional(dateField),
    to: v.optional(dateField),
  }),
  response: pageSchemaOf(
    v.object({
      recordId: number,
      at: text,
      kind: text,
      actorId: v.nullable(number),
      /** name of the API client that performed the action with a service token; null for a person or a command */
      program: v.nullable(text),
      text,
      /** audit log entry: objects, old and new values, counts and rules, without names of people */
      line: v.record(v.string(), v.unknown()),
      /** current name of the actor; empty for an API client, a command or a deleted account */
      actor: text,
      /** current names of the objects, by their key in `line.objects` */
      names: v.record(v.string(), text),
      /** the first few people affected, and the person that was searched for */
      concerned: v.array(named),
    }),
  ),
})

export const listOwnReads = endpoint('session', 'GET', '/api/webuser/reads', {
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(v.object({ at: text, by: text, call: text })),
})
