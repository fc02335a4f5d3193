import type { TFunction } from 'i18next'
import type { LessonChange } from '#contract/courses.ts'
import type { DateTimeValue, Language } from '#contract/values.ts'
import { formatDayMonth, formatTime, pickText } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'

/** Schedule change as text, such as `Mo 07.12. fällt aus`, followed by the department's note. */
export function formatLessonChange(change: LessonChange, t: TFunction<'courses'>, language: Language): string {
  const when = (at: DateTimeValue) => `${t(`day.short.${weekdayOf(at)}`)} ${formatDayMonth(at)}`
  const whenExactly = (at: DateTimeValue) => `${when(at)} ${formatTime(at)}`
  const say = (value: LessonChange['from']) =>
    typeof value === 'object' && value !== null ? whenExactly(value) : (value ?? '')
  const values = { day: when(change.at), at: whenExactly(change.at), from: say(change.from), to: say(change.to) }
  const note = pickText(language, change.note, change.note2)
  return `${t(`change.${change.kind}`, values)}${note ? ` (${note})` : ''}`
}
