import * as v from 'valibot'
import { entriesOf, keysOf, pick } from '../records.ts'
import { COURSE_FIELDS } from '../tables/course.ts'
import { type ExcludedFromTemplates, isTemplateField } from '../tables/course-template.ts'
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
/** Effects of actions whose own notice tells instructors that they teach a lesson or a course. */
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
  'confirm-course': actWithOptionalNotice('programme', 'Confirms that a course takes place', { courseId: id }),
  'unconfirm-course': actWithOptionalNotice('programme', 'Withdraws the confirmation of a course', { courseId: id }),
  'cancel-course': actWithOptionalNotice(
    'programme',
    'Cancels a course; all bookings and waiting-list entries end without charge',
    { courseId: id, ...bilingualTexts('note', 2_000) },
  ),
  'restore-course': actWithOptionalNotice(
    'programme',
    'Reopens a cancelled course without its former bookings. Tells those whose booking the cancellation ended',
    { courseId: id, ...bilingualTexts('note', 2_000) },
  ),
  'add-lesson': actWithOptionalNotice(
    'programme',
    'Adds a lesson to a course',
    {
      courseId: id,
      date: dateField,
      startTime: timeOfDayField,
      endTime: timeOfDayField,
    },
    { result: ['courseDateId'] },
  ),
  'cancel-lesson': actWithOptionalNotice('programme', 'Cancels a lesson', {
    courseDateId: id,
    ...bilingualTexts('note', 2_000),
  }),
  'restore-lesson': actWithOptionalNotice('programme', 'Restores a cancelled lesson', {
    courseDateId: id,
    ...bilingualTexts('note', 2_000),
  }),
  'change-lesson': actWithOptionalNotice(
    'programme',
    'Changes the time, room or instructor of a lesson',
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
    'Changes, cancels or restores lessons of any courses',
    {
      lessons: v.pipe(lessonChanges({ ...placeAndInstructor, ...reinstated }), v.minLength(1)),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'set-absence': actWithOptionalNotice(
    'programme',
    'Registers the absence of an instructor and changes the affected lessons, for example by assigning substitutes',
    {
      instructorEmail: email,
      from: dateField,
      to: dateField,
      lessons: lessonChanges({ substituteEmail: v.optional(email) }),
      ...bilingualTexts('note', 2_000),
    },
    { ...SUBSTITUTES, result: ['absenceId', 'isNew'] },
  ),
  'remove-absence': actWithOptionalNotice(
    'programme',
    'Removes an absence and optionally changes its lessons, for example by reassigning them to the instructor',
    {
      absenceId: id,
      lessons: v.optional(lessonChanges({ ...placeAndInstructor, ...reinstated }), []),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'ask-substitutes': defineAct(
    'programme',
    'Asks instructors who are free whether they can teach lessons as substitutes, each with one message. The first to accept before `until` becomes the substitute and the participants are notified; the others learn that the lesson is taken',
    {
      lessons: lessonIds,
      instructorEmails: v.pipe(v.array(email), v.minLength(1), v.maxLength(500)),
      /** the first acceptance before this time gets the lesson */
      until: dateTimeField,
    },
    { ...SUBSTITUTES, result: ['asked', 'notFree', 'withoutCandidate'] },
  ),
  'withdraw-substitutes': defineAct(
    'programme',
    'Withdraws open requests for substitutes and notifies those who have not answered',
    { lessons: lessonIds },
    { result: ['lessons'] },
  ),
  'set-closure': actWithOptionalNotice(
    'programme',
    'Closes rooms or a site for some days and changes the affected lessons, for example by moving them to other rooms',
    {
      /** rooms to close; missing if a site is closed */
      roomIds: v.optional(v.pipe(v.array(id), v.minLength(1), v.maxLength(200))),
      site: optionalSingleLineText(200),
      from: dateField,
      to: dateField,
      lessons: lessonChanges({ roomId: v.optional(v.nullable(id)) }),
      ...bilingualTexts('note', 2_000),
    },
    { result: ['closureId', 'isNew'] },
  ),
  'remove-closure': actWithOptionalNotice(
    'programme',
    'Reopens closed rooms or a closed site and optionally changes its lessons',
    {
      closureId: id,
      lessons: v.optional(
        lessonChanges({ roomId: placeAndInstructor.roomId, venue: placeAndInstructor.venue, ...reinstated }),
        [],
      ),
      ...bilingualTexts('note', 2_000),
    },
  ),
  'change-courses': actWithOptionalNotice('programme', 'Applies the same change to several courses', {
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
  'publish-season': actWithOptionalNotice(
    'programme',
    'Publishes a draft season with its courses',
    { seasonId: id },
    TEACHING,
  ),
  'unpublish-season': actWithOptionalNotice(
    'programme',
    'Turns a season back into a draft; `Failed` if a course of the season has ever been booked',
    { seasonId: id },
  ),
  'publish-booking-order': defineAct(
    'programme',
    'Publishes the order in which the booking requests of a season were received, without names, so that everybody can check it. It cannot be changed or withdrawn. `Failed` before the season has opened for booking, without requests, or if it is already published',
    { seasonId: id },
  ),
  // An empty name is accepted here because the action itself rejects it with a specific message.
  'save-room': actWithOptionalNotice(
    'programme',
    'Creates or changes a room',
    {
      roomId: v.optional(id),
      ...fieldSchemasForUpdate(ROOM_FIELDS),
      name: optionalSingleLineText(200),
    },
    { result: ['roomId'] },
  ),
  'create-rooms': actWithOptionalNotice(
    'programme',
    'Creates rooms from the venues of courses (`unknown` in the response of `GET /api/office/rooms`)',
    {
      rooms: v.pipe(v.array(v.strictObject(fieldSchemasForCreation(ROOM_FIELDS))), v.minLength(1), v.maxLength(1_000)),
    },
    { result: ['roomIds', 'courses', 'lessons'] },
  ),
}

/** Course fields that a course template may have. */
export const COURSE_TEMPLATE_FIELDS = Object.fromEntries(
  entriesOf(COURSE_FIELDS).filter(([name]) => isTemplateField(name)),
) as Omit<typeof COURSE_FIELDS, ExcludedFromTemplates>

export const programmeActs = {
  'link-instructors': actWithOptionalNotice(
    'programme',
    'Assigns instructors to the future courses that display their names and have no instructor (`unknown` in the response of `GET /api/office/instructors`)',
    {
      instructors: v.pipe(
        v.array(
          v.strictObject({
            /** displayed name of the courses, as listed in `unknown`; repeated for several instructors of a course */
            name: requiredSingleLineText(),
            email,
            /** name of an instructor to create; ignored if one with this e-mail address exists */
            ...pick(fieldSchemasForUpdate(INSTRUCTOR_FIELDS), ['familyName', 'givenName']),
          }),
        ),
        v.minLength(1),
        v.maxLength(1_000),
      ),
    },
    { ...SUBSTITUTES, result: ['courses', 'lessons', 'created'] },
  ),
  'save-template': defineAct(
    'programme',
    'Creates or replaces a course template: values with which the form for a new course can be filled. Courses that were created from it stay as they are',
    {
      templateId: v.optional(id),
      templateName: requiredSingleLineText(200),
      ...fieldSchemasForUpdate(COURSE_TEMPLATE_FIELDS),
    },
    { result: ['templateId'] },
  ),
  'create-course': actWithOptionalNotice(
    'programme',
    'Creates a course with its lessons',
    {
      ...fieldSchemasForCreation(COURSE_FIELDS),
      dates: v.optional(v.pipe(v.array(dateField), v.minLength(1), v.maxLength(MAX_LESSONS))),
    },
    { ...TEACHING, result: ['courseId'] },
  ),
  'change-course': actWithOptionalNotice(
    'programme',
    'Changes a course. Additional seats promote people from the waiting list; existing bookings retain their price',
    { courseId: id, ...fieldSchemasForUpdate(COURSE_FIELDS) },
    TEACHING,
  ),
  'create-season': actWithOptionalNotice(
    'programme',
    'Creates a season as a draft',
    fieldSchemasForCreation(SEASON_FIELDS),
    { result: ['seasonId'] },
  ),
  'change-season': actWithOptionalNotice('programme', 'Changes a season', {
    seasonId: id,
    ...fieldSchemasForUpdate(SEASON_FIELDS),
  }),
  'copy-season': actWithOptionalNotice(
    'programme',
    'Copies a season with its courses to new dates, as a draft',
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
    { ...TEACHING, result: ['seasonId', 'review'] },
  ),
  'save-category': actWithOptionalNotice(
    'programme',
    'Creates or changes a category of courses',
    {
      id: v.optional(id),
      ...fieldSchemasForUpdate(CATEGORY_FIELDS),
      /** id of an uploaded picture that replaces the icon; the picture's name becomes the name of the icon */
      fileId: optionalText(100),
    },
    { result: ['id'] },
  ),
  'save-division': actWithOptionalNotice(
    'programme',
    'Creates or changes a division (a company of the group)',
    {
      id: v.optional(id),
      ...fieldSchemasForUpdate(DIVISION_FIELDS),
    },
    { result: ['id'] },
  ),
  'save-instructor': actWithOptionalNotice(
    'programme',
    'Creates or changes the profile of an instructor',
    { email, ...fieldSchemasForUpdate(INSTRUCTOR_FIELDS), fileId: optionalText(100) },
    TEACHING,
  ),
}

export const importActs = {
  'import-programme': actWithOptionalNotice(
    'programme',
    'Imports an uploaded programme; with `preview`, performs a dry run. For a rejected import, `result.errors` contains the invalid lines',
    {
      fileId: requiredSingleLineText(100),
      prune: v.optional(v.boolean(), false),
      /** new seasons become drafts */
      draft: v.optional(v.boolean(), true),
    },
    { ...TEACHING, result: ['counts', 'notes'] },
  ),
}

/** Kinds of objects that can be removed, with the right that is required for each. */
export const REMOVABLE_OBJECT_KINDS = {
  course: 'programme',
  lesson: 'programme',
  season: 'programme',
  room: 'programme',
  template: 'programme',
  content: 'content',
  album: 'content',
  photo: 'content',
} as const

export const removalActs = {
  remove: defineAct(
    ['programme', 'content'],
    'Removes an object that has neither bookings nor attendance; `what` determines the required right',
    {
      what: v.picklist(keysOf(REMOVABLE_OBJECT_KINDS)),
      id,
    },
  ),
}
