import * as v from 'valibot'
import { keysOf, pick } from '../records.ts'
import { COURSE_FIELDS } from '../tables/course.ts'
import {
  bilingualTexts,
  dateField,
  dateTimeField,
  optionalSingleLineText,
  optionalText,
  requiredSingleLineText,
  timeOfDayField,
} from '../tables/field-schemas.ts'
import { fieldSchemasForCreation, fieldSchemasForUpdate } from '../tables/fields.ts'
import { CATEGORY_FIELDS, DIVISION_FIELDS, INSTRUCTOR_FIELDS, ROOM_FIELDS, SEASON_FIELDS } from '../tables/programme.ts'
import { email, id } from '../values.ts'
import { actWithOptionalNotice, defineAct } from './act.ts'

/** Effects of assigning instructors. */
const TEACHING = { changes: ['names'] } as const
/**
 * Effects of assigning substitutes to individual lessons. The action's notice about the lesson already names the
 * substitute.
 */
const SUBSTITUTES = { changes: ['names'], isNoticed: true } as const
/** Maximum number of lessons or courses changed by one action. */
const MAX_LESSONS = 500
const MAX_COURSES = 5_000

/** Fields that reschedule or cancel a lesson. */
const timeFields = {
  courseDateId: id,
  cancel: v.optional(v.literal(true)),
  date: v.optional(dateField),
  startTime: v.optional(timeOfDayField),
  endTime: v.optional(timeOfDayField),
}
/** Whether the change does only one of three things: cancel the lesson, reinstate it, or change it in other ways. */
const isOneChange = (lesson: Readonly<Record<string, unknown>>) =>
  (lesson.cancel === undefined && lesson.restore === undefined) || Object.keys(lesson).length === 2
const lessonChanges = <Fields extends v.ObjectEntries>(fields: Fields) =>
  v.pipe(
    v.array(
      v.pipe(
        v.strictObject({ ...timeFields, ...fields }),
        v.check(lesson => isOneChange(lesson)),
      ),
    ),
    v.maxLength(MAX_LESSONS),
  )
const reinstated = { restore: v.optional(v.literal(true)) }
const placeAndInstructor = {
  roomId: v.optional(v.nullable(id)),
  venue: optionalSingleLineText(),
  /** e-mail address of the substitute instructor; if empty, the course's own instructors teach */
  instructorEmail: v.optional(v.nullable(v.union([v.literal(''), email]))),
}

const lessonIds = v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_LESSONS))

export const lessonActs = {
  'confirm-course': actWithOptionalNotice('programme', { courseId: id }),
  'unconfirm-course': actWithOptionalNotice('programme', { courseId: id }),
  'cancel-course': actWithOptionalNotice('programme', { courseId: id, ...bilingualTexts('note', 2_000) }),
  'restore-course': actWithOptionalNotice('programme', { courseId: id, ...bilingualTexts('note', 2_000) }),
  'add-lesson': actWithOptionalNotice('programme', {
    courseId: id,
    date: dateField,
    startTime: timeOfDayField,
    endTime: timeOfDayField,
  }),
  'cancel-lesson': actWithOptionalNotice('programme', { courseDateId: id, ...bilingualTexts('note', 2_000) }),
  'restore-lesson': actWithOptionalNotice('programme', { courseDateId: id, ...bilingualTexts('note', 2_000) }),
  'change-lesson': actWithOptionalNotice(
    'programme',
    {
      courseDateId: id,
      date: v.optional(dateField),
      startTime: v.optional(timeOfDayField),
      endTime: v.optional(timeOfDayField),
      ...placeAndInstructor,
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'change-lessons': actWithOptionalNotice(
    'programme',
    {
      lessons: v.pipe(lessonChanges({ ...placeAndInstructor, ...reinstated }), v.minLength(1)),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'set-absence': actWithOptionalNotice(
    'programme',
    {
      instructorEmail: email,
      from: dateField,
      to: dateField,
      lessons: lessonChanges({ substituteEmail: v.optional(email) }),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'remove-absence': actWithOptionalNotice(
    'programme',
    {
      absenceId: id,
      lessons: v.optional(lessonChanges({ ...placeAndInstructor, ...reinstated }), []),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'ask-substitutes': defineAct(
    'programme',
    {
      lessons: lessonIds,
      instructorEmails: v.pipe(v.array(email), v.minLength(1), v.maxLength(500)),
      /** the first acceptance before this time gets the lesson */
      until: dateTimeField,
    },
    SUBSTITUTES,
  ),
  'withdraw-substitutes': defineAct('programme', { lessons: lessonIds }),
  'set-closure': actWithOptionalNotice('programme', {
    /** rooms to close; missing if a site is closed */
    roomIds: v.optional(v.pipe(v.array(id), v.minLength(1), v.maxLength(200))),
    site: optionalSingleLineText(200),
    from: dateField,
    to: dateField,
    lessons: lessonChanges({ roomId: v.optional(v.nullable(id)) }),
    ...bilingualTexts('note', 2_000),
  }),
  'remove-closure': actWithOptionalNotice('programme', {
    closureId: id,
    lessons: v.optional(
      lessonChanges({ roomId: placeAndInstructor.roomId, venue: placeAndInstructor.venue, ...reinstated }),
      [],
    ),
    ...bilingualTexts('note', 2_000),
  }),
  'change-courses': actWithOptionalNotice('programme', {
    courseIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_COURSES)),
    ...pick(fieldSchemasForUpdate(COURSE_FIELDS), [
      'fee',
      'energyFee',
      'externalFee',
      'participants',
      'venue',
      'bookableFrom',
      'confirmed',
    ]),
    /** room whose name and site become the courses' venue and city */
    roomId: v.optional(id),
  }),
  'publish-season': actWithOptionalNotice('programme', { seasonId: id }, TEACHING),
  'unpublish-season': actWithOptionalNotice('programme', { seasonId: id }),
  'publish-booking-order': defineAct('programme', { seasonId: id }),
  // An empty name is accepted here because the action itself rejects it with a specific message.
  'save-room': actWithOptionalNotice('programme', {
    roomId: v.optional(id),
    ...fieldSchemasForUpdate(ROOM_FIELDS),
    name: optionalSingleLineText(200),
  }),
  'create-rooms': actWithOptionalNotice('programme', {
    rooms: v.pipe(v.array(v.strictObject(fieldSchemasForCreation(ROOM_FIELDS))), v.minLength(1), v.maxLength(1_000)),
  }),
}

export const programmeActs = {
  'create-course': actWithOptionalNotice(
    'programme',
    {
      ...fieldSchemasForCreation(COURSE_FIELDS),
      dates: v.optional(v.pipe(v.array(dateField), v.minLength(1), v.maxLength(MAX_LESSONS))),
    },
    TEACHING,
  ),
  'change-course': actWithOptionalNotice(
    'programme',
    { courseId: id, ...fieldSchemasForUpdate(COURSE_FIELDS) },
    TEACHING,
  ),
  'create-season': actWithOptionalNotice('programme', fieldSchemasForCreation(SEASON_FIELDS)),
  'change-season': actWithOptionalNotice('programme', { seasonId: id, ...fieldSchemasForUpdate(SEASON_FIELDS) }),
  'copy-season': actWithOptionalNotice(
    'programme',
    {
      seasonId: id,
      name: requiredSingleLineText(),
      name2: optionalSingleLineText(),
      shortcut: requiredSingleLineText(50),
      startsAt: dateField,
      endsAt: dateField,
      bookableFrom: dateTimeField,
      viewableFrom: dateTimeField,
    },
    TEACHING,
  ),
  'save-category': actWithOptionalNotice('programme', {
    id: v.optional(id),
    ...fieldSchemasForUpdate(CATEGORY_FIELDS),
    /** id of an uploaded picture that replaces the icon; the picture's name becomes the name of the icon */
    fileId: optionalText(100),
  }),
  'save-division': actWithOptionalNotice('programme', {
    id: v.optional(id),
    ...fieldSchemasForUpdate(DIVISION_FIELDS),
  }),
  'save-instructor': actWithOptionalNotice(
    'programme',
    { email, ...fieldSchemasForUpdate(INSTRUCTOR_FIELDS), fileId: optionalText(100) },
    TEACHING,
  ),
}

export const importActs = {
  'import-programme': actWithOptionalNotice(
    'programme',
    {
      fileId: requiredSingleLineText(100),
      prune: v.optional(v.boolean(), false),
      /** new seasons become drafts */
      draft: v.optional(v.boolean(), true),
    },
    TEACHING,
  ),
}

/** Kinds of objects that can be removed, with the right that is required for each. */
export const REMOVABLE_OBJECT_KINDS = {
  course: 'programme',
  lesson: 'programme',
  season: 'programme',
  room: 'programme',
  content: 'content',
  album: 'content',
  photo: 'content',
} as const

export const removalActs = {
  remove: defineAct(['programme', 'content'], {
    what: v.picklist(keysOf(REMOVABLE_OBJECT_KINDS)),
    id,
  }),
}
