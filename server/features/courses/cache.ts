import { setTimeout as sleep } from 'node:timers/promises'
import { encodeCourseIndex, type IndexedCourse } from '#contract/endpoints/course-index.ts'
import type { CourseTexts } from '#contract/endpoints/courses.ts'
import { pick } from '#contract/records.ts'
import { TEXT_FIELDS } from '#contract/tables/course.ts'
import type { Language } from '#contract/values.ts'
import { teaserOf } from '#contract/words.ts'
import { type EncodedJson, encodeJson } from '#server/platform/http/encoded-json.ts'
import { coalesceCalls } from '#server/platform/process/coalesce-calls.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { translate } from '#server/platform/texts/translate.ts'
import {
  type CourseCountersById,
  findProgrammeRevision,
  findRevisionCounters,
  listCourseCounters,
  listCourseFacts,
} from './repository.ts'
import {
  type CourseFacts,
  type CourseStateAtTime,
  courseStateAtTime,
  isCourseVisible,
  listStateChangeTimes,
  type ServerTime,
} from './rules.ts'

/** Minimum interval between rebuilds of the lists during a burst of bookings. */
const REBUILD_INTERVAL_MS = 250

/** All courses as imported. */
export type Programme = {
  revision: number
  /** earliest first */
  courses: CourseFacts[]
  byId: Map<number, CourseFacts>
  /** teasers by course id */
  teasers: Map<number, { textWeb: string; textWeb2: string }>
  /** `listStateChangeTimes` of all courses, ascending */
  stateChangeTimes: string[]
  /** latest long texts, by number of visible courses and of their changes */
  texts: Map<string, EncodedJson>
}

export type CourseListFormat = 'whole' | 'index' | 'texts'

/** The courses visible at one point in time. */
export type ProgrammeSnapshot = {
  time: ServerTime
  courses: CourseStateAtTime[]
  find(courseId: number): CourseStateAtTime | undefined
  /** all courses, or only this one, in the format of the index response */
  indexed(only?: number): IndexedCourse[]
  view(name: CourseListFormat, language: Language): EncodedJson
}

export const pickCourseTexts = ({ facts: { course }, shown }: CourseStateAtTime): CourseTexts => ({
  changes: shown.changes,
  ...pick(course, ['id', 'dates', ...TEXT_FIELDS]),
})

function remember<Key, Value>(cached: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = cached.get(key) ?? make()
  cached.set(key, value)
  return value
}

function createSnapshot(programme: Programme, counters: CourseCountersById, time: ServerTime): ProgrammeSnapshot {
  const courses = programme.courses.flatMap(facts => {
    const own = counters.get(facts.course.id)
    return own && isCourseVisible(facts, time) ? [courseStateAtTime(facts, own, time)] : []
  })
  let byId: Map<number, CourseStateAtTime> | null = null
  const find = (courseId: number) => {
    byId ??= new Map(courses.map(course => [course.facts.course.id, course]))
    return byId.get(courseId)
  }
  const indexed = (only?: number) =>
    (only === undefined ? courses : [find(only) ?? []].flat()).map(({ shown }) => ({
      ...shown,
      ...programme.teasers.get(shown.id),
    }))
  const views = new Map<string, EncodedJson>()
  const make = {
    whole: (language: Language) => {
      const worded = courses.map(({ shown }) => ({
        ...shown,
        obstacleText: translate(language, `obstacles.${shown.obstacle}`),
      }))
      return encodeJson(JSON.stringify(worded))
    },
    index: () => encodeJson(JSON.stringify(encodeCourseIndex(indexed()))),
    // Bookings do not invalidate these texts. They change only with an import, when a season becomes visible, or when a
    // changed lesson begins.
    texts: () => {
      const changes = courses.reduce((count, { shown }) => count + shown.changes.length, 0)
      const key = `${courses.length} ${changes}`
      if (!programme.texts.has(key)) programme.texts.clear()
      return remember(programme.texts, key, () => encodeJson(JSON.stringify(courses.map(pickCourseTexts))))
    },
  }
  return {
    time,
    courses,
    find,
    indexed,
    // Only the format `whole` contains translated texts; the other formats are the same in every language.
    view: (name, language) =>
      remember(views, name === 'whole' ? `${name} ${language}` : name, () => make[name](language)),
  }
}

/** Time at which the next course opens, closes or becomes visible, in milliseconds since the epoch. */
const nextChangeMs = ({ courses }: Programme, { now }: ServerTime) =>
  Math.min(
    ...courses
      .flatMap(({ opensAt, closesAt, viewableFrom }) => [opensAt.getTime(), closesAt.getTime(), viewableFrom.getTime()])
      .filter(ms => ms > now.getTime()),
  )

/**
 * Creates the programme cache of this process. Its data are never older than the request, because the database's
 * revision counters are checked before each response.
 */
export function createProgrammeCache({ db, config }: ServerContext) {
  let programme: Programme | null = null
  const load = coalesceCalls(async () => {
    // Read the revision before the course data: after a concurrent change, the data are then newer than their revision,
    // which only causes another read.
    const revision = await findProgrammeRevision(db)
    const courses = await listCourseFacts(db, config.region)
    programme = {
      revision,
      courses,
      byId: new Map(courses.map(facts => [facts.course.id, facts])),
      teasers: new Map(
        courses.map(({ course }) => [
          course.id,
          { textWeb: teaserOf(course.textWeb), textWeb2: teaserOf(course.textWeb2) },
        ]),
      ),
      stateChangeTimes: courses.flatMap(listStateChangeTimes).sort(),
      texts: new Map(),
    }
    return programme
  })
  const takeProgramme = async (revision: number) => (programme?.revision === revision ? programme : load())

  type Built = {
    snapshot: ProgrammeSnapshot
    moment: string
    changes: string | null
    staleAtMs: number
    /** local time at which the state of a course changes next, 'YYYY-MM-DD HH:MM:SS'; undefined: none */
    nextStateChange: string | undefined
    builtAtMs: number
  }
  let built: Built | null = null
  const snapshot = coalesceCalls(async (): Promise<ProgrammeSnapshot> => {
    const { programmeRevision, moment, changes, ...time } = await findRevisionCounters(db, built?.moment ?? null)
    const isSame = built !== null && (changes === null || changes === built.changes)
    const hasStateChanged = built?.nextStateChange !== undefined && built.nextStateChange <= time.wallClock
    // Pages with a first view show which courses and lessons are over today.
    const isSameDay = built?.snapshot.time.today === time.today
    if (built && isSame && isSameDay && !hasStateChanged && time.now.getTime() < built.staleAtMs) {
      built.moment = moment
      return { ...built.snapshot, time }
    }
    await sleep(Math.max(0, (built?.builtAtMs ?? 0) + REBUILD_INTERVAL_MS - performance.now()))
    const current = await takeProgramme(programmeRevision)
    const made = createSnapshot(current, await listCourseCounters(db), time)
    built = {
      snapshot: made,
      moment,
      changes: changes ?? built?.changes ?? null,
      staleAtMs: nextChangeMs(current, time),
      nextStateChange: current.stateChangeTimes.find(at => at > time.wallClock),
      builtAtMs: performance.now(),
    }
    return made
  })

  return {
    /** returns the programme at an import revision */
    takeProgramme,
    /** returns the visible courses as of a time no earlier than the call */
    snapshot,
  }
}
