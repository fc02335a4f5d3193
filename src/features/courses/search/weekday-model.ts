import type { TFunction } from 'i18next'
import { sortWeekdays } from '#contract/words.ts'

/** Maximum number of weekdays that are listed individually. */
const NAMED = 3

/** Formats the weekdays of a course briefly, as in `Mo + Do`. */
export const formatWeekdaysShort = (weekdays: readonly number[], t: TFunction<'courses'>): string =>
  weekdays.length > NAMED
    ? t('day.several')
    : sortWeekdays(weekdays)
        .map(day => t(`day.short.${day}`))
        .join(' + ')

/**
 * Formats the weekdays of a course in full: for screen readers as in `Montag und Donnerstag`, for display as in
 * `montags und donnerstags`.
 */
export const formatWeekdaysLong = (
  weekdays: readonly number[],
  t: TFunction<'courses'>,
  form: 'long' | 'every',
): string => {
  if (weekdays.length > NAMED) return t('day.several')
  const names = sortWeekdays(weekdays).map(day => t(`day.${form}.${day}`))
  return names.length > 1
    ? t('day.and', { first: names.slice(0, -1).join(', '), last: names.at(-1) })
    : (names[0] ?? '')
}
