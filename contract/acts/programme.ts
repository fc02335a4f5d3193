import * as v from 'valibot'
import { COURSE } from '../course.ts'
import { createEntries, updateEntries } from '../fields.ts'
import { CATEGORY, DIVISION, INSTRUCTOR, ROOM, SEASON } from '../programme.ts'
import { keysOf, pick } from '../records.ts'
import { email, id } from '../values.ts'
import { act, both, clock, day, line, moment, name, quietAct, words } from './act.ts'

/** Effects of fields that assign instructors. */
const TEACHING = { changes: ['names'] } as const
/** Effects of assigning substitutes to single lessons: the notice about the lesson names them. */
const SUBSTITUTES = { changes: ['names'], isNoticed: true } as const
/** Maximum number of lessons or courses that one act changes. */
const MAX_LESSONS = 500
const MAX_COURSES = 5_000

/** Fields that reschedule a lesson or cancel it. */
const timeFields = {
  courseDateId: id,
  cancel: v.optional(v.literal(true)),
  date: v.optional(day),
  startTime: v.optional(clock),
  endTime: v.optional(clock),
}
/** Whether a lesson is either cancelled, reinstated or changed otherwise: these exclude each other. */
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
  venue: line(),
  /** e-mail address of the substitute instructor; empty: the course's own instructors teach */
  instructorEmail: v.optional(v.nullable(v.union([v.literal(''), email]))),
}

export const lessonActs = {
  'confirm-course': quietAct('programme', { courseId: id }),
  'unconfirm-course': quietAct('programme', { courseId: id }),
  'cancel-course': quietAct('programme', { courseId: id, ...both('note', 2_000) }),
  'restore-course': quietAct('programme', { courseId: id, ...both('note', 2_000) }),
  'add-lesson': quietAct('programme', { courseId: id, date: day, startTime: clock, endTime: clock }),
  'cancel-lesson': quietAct('programme', { courseDateId: id, ...both('note', 2_000) }),
  'restore-lesson': quietAct('programme', { courseDateId: id, ...both('note', 2_000) }),
  'change-lesson': quietAct(
    'programme',
    {
      courseDateId: id,
      date: v.optional(day),
      startTime: v.optional(clock),
      endTime: v.optional(clock),
      ...placeAndInstructor,
      ...both('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'change-lessons': quietAct(
    'programme',
    {
      lessons: v.pipe(lessonChanges({ ...placeAndInstructor, ...reinstated }), v.minLength(1)),
      ...both('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'set-absence': quietAct(
    'programme',
    {
      instructorEmail: email,
      from: day,
      to: day,
      lessons: lessonChanges({ substituteEmail: v.optional(email) }),
      ...both('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'remove-absence': quietAct(
    'programme',
    {
      absenceId: id,
      lessons: v.optional(lessonChanges({ ...placeAndInstructor, ...reinstated }), []),
      ...both('note', 2_000),
    },
    SUBSTITUTES,
  ),
  'change-courses': quietAct('programme', {
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
    /** name and site of the room become the courses' venue and city */
    roomId: v.optional(id),
  }),
  'publish-season': quietAct('programme', { seasonId: id }),
  'unpublish-season': quietAct('programme', { seasonId: id }),
  // The act itself rejects an empty name, with a specific message.
  'save-room': quietAct('programme', { roomId: v.optional(id), ...updateEntries(ROOM), name: line(200) }),
  'create-rooms': quietAct('programme', {
    rooms: v.pipe(v.array(v.strictObject(createEntries(ROOM))), v.minLength(1), v.maxLength(1_000)),
  }),
}

export const programmeActs = {
  'create-course': quietAct(
    'programme',
    {
      ...createEntries(COURSE),
      dates: v.optional(v.pipe(v.array(day), v.minLength(1), v.maxLength(MAX_LESSONS))),
    },
    TEACHING,
  ),
  'change-course': quietAct('programme', { courseId: id, ...updateEntries(COURSE) }, TEACHING),
  'create-season': quietAct('programme', createEntries(SEASON)),
  'change-season': quietAct('programme', { seasonId: id, ...updateEntries(SEASON) }),
  'copy-season': quietAct(
    'programme',
    {
      seasonId: id,
      name: name(),
      name2: line(),
      shortcut: name(50),
      startsAt: day,
      endsAt: day,
      bookableFrom: moment,
      viewableFrom: moment,
    },
    TEACHING,
  ),
  'save-category': quietAct('programme', {
    id: v.optional(id),
    ...updateEntries(CATEGORY),
    /** id of an uploaded picture that replaces the icon; its name becomes the name of the icon */
    fileId: words(100),
  }),
  'save-division': quietAct('programme', { id: v.optional(id), ...updateEntries(DIVISION) }),
  'save-instructor': quietAct('programme', { email, ...updateEntries(INSTRUCTOR), fileId: words(100) }, TEACHING),
}

export const importActs = {
  'import-programme': quietAct(
    'programme',
    {
      fileId: name(100),
      prune: v.optional(v.boolean(), false),
    },
    TEACHING,
  ),
}

/** Kinds of objects that can be removed, with the right that each requires. */
export const REMOVABLE = {
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
    what: v.picklist(keysOf(REMOVABLE)),
    id,
  }),
}
