import type { ItemOf } from '#contract/endpoint.ts'
import type { listSeasonChecks } from '#contract/office/planning.ts'
import type { Language } from '#contract/values.ts'
import type { LessonClash } from '#server/features/courses/lesson-repository.ts'
import { addDays } from '#server/features/programme/cell-parsers.ts'
import { isHoliday, weekdayOf } from '#server/features/programme/schedule.ts'
import { holidayNameOf } from '#server/platform/holidays/holidays.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { ProgrammeLesson } from './table-repository.ts'

/** Period with its first and last day, 'YYYY-MM-DD'. */
export type SeasonSpan = { startsAt: string; endsAt: string }

/** Name of the region's public holiday on this date, otherwise of its school holidays. */
export const holidayNameFor = (region: string, date: string, language: Language): string =>
  translate(language, `office.holiday.${holidayNameOf(region, date) ?? 'school'}`)

const slotOf = (at: string) => `${weekdayOf(at.slice(0, 10))} ${at.slice(11)}`
const addWeeks = (at: string, weeks: number) => `${addDays(at.slice(0, 10), weeks * 7)}${at.slice(10)}`
const daysBetween = (first: string, last: string) =>
  Math.round((Date.parse(last.slice(0, 10)) - Date.parse(first.slice(0, 10))) / 86_400_000)
/** Monday of the week */
const weekOf = (at: string) => addDays(at.slice(0, 10), -((weekdayOf(at.slice(0, 10)) + 6) % 7))

type Rhythm = { weeks: number; weeksBySlot: ReadonlyMap<string, ReadonlySet<string>> }

/** In how many weeks a course has lessons, in total and for each weekday and time. */
const rhythmOf = (times: readonly string[]): Rhythm => ({
  weeks: new Set(times.map(weekOf)).size,
  weeksBySlot: new Map([...Map.groupBy(times, slotOf)].map(([slot, own]) => [slot, new Set(own.map(weekOf))])),
})

/** Whether the lesson's weekday and time occur in more than a quarter of the course's weeks. */
const isInRhythm = ({ weeks, weeksBySlot }: Rhythm, at: string): boolean =>
  (weeksBySlot.get(slotOf(at))?.size ?? 0) * 4 > weeks

/**
 * Times of the lessons that took place, ascending. A single extra lesson counts at the time of the cancelled lesson
 * that it replaces.
 */
export function listLessonsToCopy(lessons: readonly ProgrammeLesson[]): string[] {
  const held = lessons.filter(({ isPlanned }) => isPlanned)
  const rhythm = rhythmOf(held.map(({ at }) => at))
  const isReplacement = ({ at, isExtra }: ProgrammeLesson) =>
    isExtra && (rhythm.weeksBySlot.get(slotOf(at))?.size === 1 || !isInRhythm(rhythm, at))
  const cancelled = lessons.filter(({ isExtra, isPlanned }) => !isExtra && !isPlanned).map(({ at }) => at)
  return held.map(lesson => (isReplacement(lesson) ? (cancelled.shift() ?? lesson.at) : lesson.at)).sort()
}

/** Most frequent number of weeks between two lessons of a slot; the smallest one if several are equally frequent. */
function intervalOf(slotTimes: readonly string[]): number {
  const gaps = slotTimes.slice(1).map((at, index) => daysBetween(slotTimes[index] ?? at, at) / 7)
  const counts = [...Map.groupBy(gaps, gap => gap)].map(([gap, equal]) => ({ gap, count: equal.length }))
  return counts.sort((a, b) => b.count - a.count || a.gap - b.gap)[0]?.gap ?? 1
}

/** A lesson and its copy, 'YYYY-MM-DD HH:MM:SS'. */
type CopiedLesson = { from: string; to: string }

function shiftLessons(
  region: string,
  times: readonly string[],
  weeks: number,
  { startsAt, endsAt }: SeasonSpan,
): CopiedLesson[] {
  const isPossible = (at: string) => {
    const day = at.slice(0, 10)
    return day >= startsAt && day <= endsAt && !isHoliday(region, day)
  }
  const shifted = times.map(from => ({ from, to: addWeeks(from, weeks) }))
  const copied = shifted.filter(({ to }) => isPossible(to))
  const rhythm = rhythmOf(times)
  const regular = times.filter(at => isInRhythm(rhythm, at))
  const last = addWeeks((regular.length > 0 ? regular : times).at(-1) ?? startsAt, weeks)
  const bySlot = Map.groupBy(times, slotOf)
  const taken = new Set(copied.map(({ to }) => to))
  for (const { from } of shifted.filter(({ to }) => !isPossible(to))) {
    const slotTimes = bySlot.get(slotOf(from)) ?? []
    const interval = intervalOf(slotTimes)
    let to = addWeeks(slotTimes.at(-1) ?? from, weeks + interval)
    while (to.slice(0, 10) <= endsAt && (to <= last || taken.has(to) || !isPossible(to))) to = addWeeks(to, interval)
    if (to.slice(0, 10) > endsAt) continue
    taken.add(to)
    copied.push({ from, to })
  }
  return copied
}

/** Planned lessons of a copied course, ascending, and the copies of lessons outside the rhythm of the course. */
export type CopiedLessons = { heldAt: string[]; review: CopiedLesson[] }

/**
 * Plans the lessons of a copied course: each one is shifted by the number of weeks between the starts of the seasons.
 * Lessons on holidays of the region are replaced at the end, at the interval of their weekday and time. There are fewer
 * if the season is too short. If not all lessons fit, the course starts earlier in the season than the original.
 * @param times of the lessons to copy, ascending
 * @param from first day of the original season
 * @param to new season
 */
export function planCopiedLessons(
  region: string,
  times: readonly string[],
  from: string,
  to: SeasonSpan,
): CopiedLessons {
  const [first] = times
  if (first === undefined) return { heldAt: [], review: [] }
  const earliest = Math.ceil(daysBetween(first, to.startsAt) / 7)
  let weeks = Math.max(Math.round(daysBetween(from, to.startsAt) / 7), earliest)
  let copied = shiftLessons(region, times, weeks, to)
  while (copied.length < times.length && weeks > earliest) {
    weeks -= 1
    const earlier = shiftLessons(region, times, weeks, to)
    if (earlier.length > copied.length) copied = earlier
  }
  const rhythm = rhythmOf(times)
  const review = copied.filter(lesson => !isInRhythm(rhythm, lesson.from))
  return { heldAt: copied.map(lesson => lesson.to).sort(), review }
}

/**
 * Number of a copied course: the new season's abbreviation, a hyphen, and the original number without its season
 * prefix.
 */
export function toCopiedCourseNumber(number: string, oldShortcut: string, shortcut: string): string {
  const begin = `${oldShortcut}-`
  return `${shortcut}-${oldShortcut !== '' && number.startsWith(begin) ? number.slice(begin.length) : number}`
}

type Check = ItemOf<typeof listSeasonChecks>

/** Courses that are incomplete, or whose room or instructor another lesson needs at the same time. */
export function toSeasonChecks(
  courses: readonly Omit<Check, 'clashes' | 'other'>[],
  clashes: readonly Pick<LessonClash, 'courseId' | 'lessonId' | 'otherName'>[],
): Check[] {
  const byCourse = Map.groupBy(clashes, ({ courseId }) => courseId)
  return courses
    .map(course => {
      const own = byCourse.get(course.courseId) ?? []
      return {
        ...course,
        kinds: own.length > 0 ? [...course.kinds, 'clash' as const] : course.kinds,
        clashes: new Set(own.map(({ lessonId }) => lessonId)).size,
        other: own[0]?.otherName ?? '',
      }
    })
    .filter(({ kinds }) => kinds.length > 0)
}
