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

/** Weekday and time slots of a course: the regular ones, and those of extra lessons that occur more than once. */
function listSlots(lessons: readonly ProgrammeLesson[]): Set<string> {
  const extras = lessons.filter(({ isExtra }) => isExtra).map(({ at }) => slotOf(at))
  const often = extras.filter(slot => extras.filter(other => other === slot).length > 1)
  const own = lessons.filter(({ isExtra }) => !isExtra).map(({ at }) => slotOf(at))
  return new Set(own.length + often.length > 0 ? [...own, ...often] : extras)
}

/** Number of lessons to copy. Includes cancelled lessons, except those replaced by extra lessons. */
export const countLessonsToCopy = (lessons: readonly ProgrammeLesson[]): number =>
  Math.max(lessons.filter(({ isPlanned }) => isPlanned).length, lessons.filter(({ isExtra }) => !isExtra).length)

function listPossible(region: string, slots: ReadonlySet<string>, { startsAt, endsAt }: SeasonSpan): string[] {
  const times = [...new Set([...slots].map(slot => slot.slice(2)))].sort()
  const found: string[] = []
  for (let day = startsAt; day <= endsAt; day = addDays(day, 1)) {
    if (isHoliday(region, day)) continue
    for (const time of times) if (slots.has(`${weekdayOf(day)} ${time}`)) found.push(`${day} ${time}`)
  }
  return found
}

/**
 * Plans the lessons of a copied course on the same weekdays, at the same times and in the same number, skipping the
 * region's holidays. There are fewer if the season is too short. A course that started late in the original season
 * starts equally late in the new one, provided that all its lessons fit.
 * @param from original season
 * @param to new season
 * @returns 'YYYY-MM-DD HH:MM:SS'
 */
export function planCopiedLessons(
  region: string,
  lessons: readonly ProgrammeLesson[],
  from: SeasonSpan,
  to: SeasonSpan,
): string[] {
  const slots = listSlots(lessons)
  const count = countLessonsToCopy(lessons)
  const possible = listPossible(region, slots, to)
  const first = lessons[0]?.at ?? ''
  const missed = listPossible(region, slots, { startsAt: from.startsAt, endsAt: first.slice(0, 10) })
  const skipped = Math.min(missed.filter(at => at < first).length, Math.max(possible.length - count, 0))
  return possible.slice(skipped, skipped + count)
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
