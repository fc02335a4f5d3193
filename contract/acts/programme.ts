import * as v from 'valibot'
import { keysOf } from '../records.ts'
import { email, id, money, upTo, weekday } from '../values.ts'
import { act, both, bothLines, clock, day, line, moment, momentOrNone, name, quietAct, words } from './act.ts'

const count = upTo(1_000_000)

/** Optional course columns of courses.csv, in addition to the required ones. */
const courseFields = {
  ...bothLines('name'),
  ...both('textWeb', 50_000),
  ...both('conditions', 50_000),
  venue: line(),
  city: line(),
  ...both('location', 2_000),
  instructor: line(),
  instructorEmails: v.optional(v.pipe(v.array(email), v.maxLength(20))),
  day: v.optional(weekday),
  end: v.optional(day),
  totalHours: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(99_999))),
  bookingSelection: line(),
  /** empty: the season's value applies */
  bookableFrom: momentOrNone,
  fee: v.optional(money),
  energyFee: v.optional(money),
  externalFee: v.optional(v.nullable(money)),
  freeWithAttendance: v.optional(v.boolean()),
  confirmed: v.optional(v.boolean()),
  meetingURL: line(2_000),
  meetingID: line(),
  meetingCode: line(),
  centralTestInstitute: line(),
}
const required = {
  number: name(50),
  seasonId: id,
  courseCategoryId: id,
  start: day,
  startTime: clock,
  endTime: clock,
  participants: count,
}
const seasonFields = {
  name2: line(),
  ...both('description'),
  shortcut: line(50),
  bookableFrom: v.optional(moment),
  viewableFrom: v.optional(moment),
  startsAt: v.optional(day),
  endsAt: v.optional(day),
}
const roomFields = { roomId: v.optional(id), name: line(200), site: line(200), capacity: v.optional(count) }

/** Of an act that may enter instructors. */
const TEACHING = { changes: ['names'] } as const

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
      roomId: v.optional(v.nullable(id)),
      venue: line(),
      /** empty: the course's own again */
      instructorEmail: v.optional(v.nullable(v.union([v.literal(''), email]))),
      ...both('note', 2_000),
    },
    TEACHING,
  ),
  'publish-season': quietAct('programme', { seasonId: id }),
  'unpublish-season': quietAct('programme', { seasonId: id }),
  'save-room': quietAct('programme', { ...roomFields, shared: v.optional(v.boolean()) }),
  'create-rooms': quietAct('programme', {
    rooms: v.pipe(
      v.array(
        v.strictObject({
          name: name(200),
          site: line(200),
          capacity: v.optional(count),
          shared: v.optional(v.boolean()),
        }),
      ),
      v.minLength(1),
      v.maxLength(1_000),
    ),
  }),
}

export const programmeActs = {
  'create-course': quietAct('programme', { ...courseFields, ...required, name: name() }, TEACHING),
  'change-course': quietAct(
    'programme',
    {
      courseId: id,
      ...courseFields,
      name: v.optional(name()),
      ...v.partial(v.object(required)).entries,
    },
    TEACHING,
  ),
  'create-season': quietAct('programme', { ...seasonFields, name: name() }),
  'change-season': quietAct('programme', { seasonId: id, ...seasonFields, name: v.optional(name()) }),
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
    name: v.optional(name()),
    name2: line(),
    icon: line(200),
    /** picture that replaces the lines; its name becomes the icon */
    fileId: words(100),
  }),
  'save-division': quietAct('programme', {
    id: v.optional(id),
    name: v.optional(name()),
    onlineOnly: v.optional(v.boolean()),
  }),
  'save-instructor': quietAct(
    'programme',
    {
      email,
      familyName: v.optional(name(100)),
      givenName: line(100),
      yearOfBirth: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1900), v.maxValue(2200)))),
      ...both('courses'),
      ...both('profession'),
      ...both('hobbies'),
      ...both('likeReasonsInstructor'),
      ...both('favoriteWorkout'),
      pictureFileName: line(200),
      fileId: words(100),
    },
    TEACHING,
  ),
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

/** Removable objects, with the right that each requires. */
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
