import { isPublicHoliday } from './public-holidays.ts'

const DAY_MS = 86_400_000

/** Monday to Friday, except public holidays of the region. */
export function isWorkingDay(region: string, date: string): boolean {
  const weekday = new Date(date).getUTCDay()
  return weekday >= 1 && weekday <= 5 && !isPublicHoliday(region, date)
}

/** The `count`th working day after a calendar date (exclusive); dates are 'YYYY-MM-DD'. */
export function addWorkingDays(region: string, date: string, count: number): string {
  let day = date
  for (let left = count; left > 0; ) {
    day = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
    if (isWorkingDay(region, day)) left -= 1
  }
  return day
}
