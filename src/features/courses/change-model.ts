import type { TFunction } from 'i18next'
import type { LessonChange } from '#contract/endpoints/courses.ts'
import type { DateTimeValue, Language } from '#contract/values.ts'
import { formatDate, formatDayMonth, formatTime, textInLanguage } from '#contract/words.ts'
import { toLocalTimeMs, weekdayOf } from '#lib/format.ts'

const isMoment = (value: LessonChange['from']): value is DateTimeValue => typeof value === 'object' && value !== null

/** Original and new start of a lesson that was moved to another day; null for all other changes. */
export const movedLessonDays = ({ kind, from, to }: LessonChange): { from: DateTimeValue; to: DateTimeValue } | null =>
  kind === 'moved' && isMoment(from) && isMoment(to) && formatDate(from) !== formatDate(to) ? { from, to } : null

const formatDay = (at: DateTimeValue, t: TFunction<'courses'>) =>
  `${t(`day.short.${weekdayOf(at)}`)} ${formatDayMonth(at)}`

/** Formats the start of a lesson, as in `Mo 07.12. 17:30`. */
export const formatLessonStart = (at: DateTimeValue, t: TFunction<'courses'>): string =>
  `${formatDay(at, t)} ${formatTime(at)}`

/** The department's note about a change, in parentheses; '' if there is none. */
export function lessonChangeNoteOf({ note, note2 }: LessonChange, language: Language): string {
  const text = textInLanguage(language, note, note2)
  return text && ` (${text})`
}

/** Describes a schedule change, as in `Mo 07.12. fällt aus`, followed by the department's note. */
export function formatLessonChange(change: LessonChange, t: TFunction<'courses'>, language: Language): string {
  const { kind, at, from, to } = change
  const isOtherTime = kind === 'moved' && isMoment(from) && isMoment(to) && movedLessonDays(change) === null
  const say = (value: LessonChange['from']) =>
    !isMoment(value) ? (value ?? '') : isOtherTime ? formatTime(value) : formatLessonStart(value, t)
  const key = !isOtherTime ? kind : toLocalTimeMs(to) > toLocalTimeMs(from) ? 'later' : 'earlier'
  const values = { day: formatDay(at, t), at: formatLessonStart(at, t), from: say(from), to: say(to) }
  return t(`change.${key}`, values) + lessonChangeNoteOf(change, language)
}
