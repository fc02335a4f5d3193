import * as v from 'valibot'
import { COURSE } from '../course.ts'
import { createEntries, updateEntries } from '../fields.ts'
import { CATEGORY, DIVISION, INSTRUCTOR, ROOM, SEASON } from '../programme.ts'
import { keysOf, pick } from '../records.ts'
import { email, id } from '../values.ts'
import {
  act,
  bilingualTexts,
  clock,
  day,
  moment,
  optionalLine,
  optionalText,
  requiredLine,
  suppressibleAct,
} from './act.ts'

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
  date: v.optional(day),
  startTime: v.optional(clock),
  endTime: v.optional(clock),
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
  venue: optionalLine(),
  /** e-mail address of the substitute instructor; if empty, the course's own instructors teach */
  instructorEmail: v.optional(v.nullable(v.union([v.literal(''), email]))),
}

export const lessonActs = {
  'confirm-course': suppressibleAct('programme', { courseId: id }),
  'unconfirm-course': suppressibleAct('programme', { courseId: id }),
  'cancel-course': suppressibleAct('programme', { courseId: id, ...bilingualTexts('note', 2_000) }),
  'restore-course': suppressibleAct('programme', { courseId: id, ...bilingualTexts('note', 2_000) }),
  'add-lesson': suppressibleAct('programme', { courseId: id, date: day, startTime: clock, endTime: clock }),
  'cancel-lesson': suppressibleAct('programme', { courseDateId: id, ...bilingualTexts('note', 2_000) }),
  'restore-lesson': suppressibleAct('programme', { courseDateId: id, ...bilingualTexts('note', 2_000) }),
  'change-lesson': suppressibleAct(
    'programme',
    {
      courseDateId: id,
      date: v.optional(day),
      startTime: v.optional(clock),
      endTime: v.optional(clock),
      ...placeAndInstructor,
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'change-lessons': suppressibleAct(
    'programme',
    {
      lessons: v.pipe(lessonChanges({ ...placeAndInstructor, ...reinstated }), v.minLength(1)),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'set-absence': suppressibleAct(
    'programme',
    {
      instructorEmail: email,
      from: day,
      to: day,
      lessons: lessonChanges({ substituteEmail: v.optional(email) }),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'remove-absence': suppressibleAct(
    'programme',
    {
      absenceId: id,
      lessons: v.optional(lessonChanges({ ...placeAndInstructor, ...reinstated }), []),
      ...bilingualTexts('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'change-courses': suppressibleAct('programme', {
    courseIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_COURSES)),
    ...pick(updateEntries(COURSE), [
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
  'publish-season': suppressibleAct('programme', { seasonId: id }),
  'unpublish-season': suppressibleAct('programme', { seasonId: id }),
  // An empty name is accepted here because the action itself rejects it with a specific message.
  'save-room': suppressibleAct('programme', {
    roomId: v.optional(id),
    ...updateEntries(ROOM),
    name: optionalLine(200),
  }),
  'create-rooms': suppressibleAct('programme', {
    rooms: v.pipe(v.array(v.strictObject(createEntries(ROOM))), v.minLength(1), v.maxLength(1_000)),
  }),
}

export const programmeActs = {
  'create-course': suppressibleAct(
    'programme',
    {
      ...createEntries(COURSE),
      dates: v.optional(v.pipe(v.array(day), v.minLength(1), v.maxLength(MAX_LESSONS))),
    },
    TEACHING,
  ),
  'change-course': suppressibleAct('programme', { courseId: id, ...updateEntries(COURSE) }, TEACHING),
  'create-season': suppressibleAct('programme', createEntries(SEASON)),
  'change-season': suppressibleAct('programme', { seasonId: id, ...updateEntries(SEASON) }),
  'copy-season': suppressibleAct(
    'programme',
    {
      seasonId: id,
      name: requiredLine(),
      name2: optionalLine(),
      shortcut: requiredLine(50),
      startsAt: day,
      endsAt: day,
      bookableFrom: moment,
      viewableFrom: moment,
    },
    TEACHING,
  ),
  'save-category': suppressibleAct('programme', {
    id: v.optional(id),
    ...updateEntries(CATEGORY),
    /** id of an uploaded picture that replaces the icon; the picture's name becomes the name of the icon */
    fileId: optionalText(100),
  }),
  'save-division': suppressibleAct('programme', { id: v.optional(id), ...updateEntries(DIVISION) }),
  'save-instructor': suppressibleAct(
    'programme',
    { email, ...updateEntries(INSTRUCTOR), fileId: optionalText(100) },
    TEACHING,
  ),
}

export const importActs = {
  'import-programme': suppressibleAct(
    'programme',
    {
      fileId: requiredLine(100),
      prune: v.optional(v.boolean(), false),
    },
    TEACHING,
  ),
}

/** Kinds of objects that can be removed, with the right that is required for each. */
export const REMOVABLE_KINDS = {
  course: 'programme',
  lesson: 'programme',
  season: 'programme',
  room: 'programme',
  content: 'content',
  album: 'content',
  photo: 'content',
} as const

export const removeAct = {
  remove: act(['programme', 'content'], {
    what: v.picklist(keysOf(REMOVABLE_KINDS)),
    id,
  }),
}
