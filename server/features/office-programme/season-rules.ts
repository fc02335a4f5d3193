import { addDays } from '#server/import/cell-parsers.ts'
import { isHoliday, weekdayOf } from '#server/import/schedule.ts'
import type { ProgrammeLesson } from './table-repository.ts'

/** First and last day, 'YYYY-MM-DD'. */
export type Span = { startsAt: string; endsAt: string }

const slotOf = (at: string) => `${weekdayOf(at.slice(0, 10))} ${at.slice(11)}`

/** Weekdays and times of a course: of its programme, and of added lessons those that came back. */
function listSlots(lessons: readonly ProgrammeLesson[]): Set<string> {
  const extras = lessons.filter(({ isExtra }) => isExtra).map(({ at }) => slotOf(at))
  const often = extras.filter(slot => extras.filter(other => other === slot).length > 1)
  const own = lessons.filter(({ isExtra }) => !isExtra).map(({ at }) => slotOf(at))
  return new Set(own.length + often.length > 0 ? [...own, ...often] : extras)
}

/** How many lessons a course had: one that fell out counts, unless another took its place. */
export const countLessons = (lessons: readonly ProgrammeLesson[]): number =>
  Math.max(lessons.filter(({ isPlanned }) => isPlanned).length, lessons.filter(({ isExtra }) => !isExtra).length)

function listPossible(region: string, slots: ReadonlySet<string>, { startsAt, endsAt }: Span): string[] {
  const times = [...new Set([...slots].map(slot => slot.slice(2)))].sort()
  const found: string[] = []
  for (let day = startsAt; day <= endsAt; day = addDays(day, 1)) {
    if (isHoliday(region, day)) continue
    for (const time of times) if (slots.has(`${weekdayOf(day)} ${time}`)) found.push(`${day} ${time}`)
  }
  return found
}

/**
 * The lessons of a copied course: on its weekdays, at its times, holidays of the region left out, as many as it had, fewer where the
 * span is too short. A course that began later than it could have begins as many lessons later again, while all of them fit.
 * @param from the season that is copied @param to the new one @returns 'YYYY-MM-DD HH:MM:SS'
 */
export function copyLessons(region: string, lessons: readonly ProgrammeLesson[], from: Span, to: Span): string[] {
  const slots = listSlots(lessons)
  const count = countLessons(lessons)
  const possible = listPossible(region, slots, to)
  const first = lessons[0]?.at ?? ''
  const missed = listPossible(region, slots, { startsAt: from.startsAt, endsAt: first.slice(0, 10) })
  const skipped = Math.min(missed.filter(at => at < first).length, Math.max(possible.length - count, 0))
  return possible.slice(skipped, skipped + count)
}

/** The new shortcut, a dash, and the old number without the old shortcut and a dash, where it begins with them. */
export function copyNumber(number: string, oldShortcut: string, shortcut: string): string {
  const begin = `${oldShortcut}-`
  return `${shortcut}-${oldShortcut !== '' && number.startsWith(begin) ? number.slice(begin.length) : number}`
}
