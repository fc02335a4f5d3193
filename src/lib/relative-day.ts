import type { DateTimeValue, Language } from '#contract/values.ts'
import { wallClockMs } from './format.ts'

const DAY_MS = 86_400_000

const words: Partial<Record<Language, Intl.RelativeTimeFormat>> = {}

/** Days until a date, 0 for today. @param nowWallMs the portal's wall clock, in the unit of `wallClockMs` */
export const daysUntil = (date: DateTimeValue, nowWallMs: number): number =>
  Math.floor(wallClockMs(date) / DAY_MS) - Math.floor(nowWallMs / DAY_MS)

/** "today", "5 days ago", "in 3 days". @param nowWallMs as `daysUntil` */
export const sayDay = (date: DateTimeValue, nowWallMs: number, language: Language): string => {
  words[language] ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return words[language].format(daysUntil(date, nowWallMs), 'day')
}
