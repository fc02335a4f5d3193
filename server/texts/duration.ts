import type { Language } from '#contract/values.ts'
import { translate } from './translate.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const LONGEST_IN_MINUTES_S = 90 * MINUTE_S

/** Duration in words, rounded up, for use after "in": "12 Minuten", "3 hours". */
export function durationText(language: Language, seconds: number): string {
  return seconds <= LONGEST_IN_MINUTES_S
    ? translate(language, 'duration.minutes', { count: Math.max(Math.ceil(seconds / MINUTE_S), 1) })
    : translate(language, 'duration.hours', { count: Math.ceil(seconds / HOUR_S) })
}
