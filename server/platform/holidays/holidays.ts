import data from './school-holidays.json' with { type: 'json' }

/**
 * Easter Sunday of a Gregorian year, in days since 1970-01-01, by the Meeus/Jones/Butcher algorithm ("Anonymous
 * Gregorian", Nature 1876).
 */
function easterDay(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return Date.UTC(year, month - 1, day) / DAY_MS
}

const DAY_MS = 86_400_000
const dateOf = (dayNumber: number) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)

type Holiday = {
  /** key of the holiday's name in server/platform/texts, below `office.holiday` */
  name: string
  /** date 'MM-DD', or offset in days from Easter Sunday */
  on: string | number
  /** states with this holiday; default: all states */
  states?: string
  /** first year */
  since?: number
}

// Statutory public holidays of the sixteen states since 2018, except those that apply only to individual towns. The
// exception is Assumption Day in Bavaria: most municipalities have it, and where it is a working day, treating it as a
// holiday only prolongs deadlines; lessons on it are added by date.
const HOLIDAYS: Holiday[] = [
  { name: 'newYear', on: '01-01' },
  { name: 'epiphany', on: '01-06', states: 'BW BY ST' },
  { name: 'womensDay', on: '03-08', states: 'BE', since: 2019 },
  { name: 'womensDay', on: '03-08', states: 'MV', since: 2023 },
  { name: 'goodFriday', on: -2 },
  { name: 'easterSunday', on: 0, states: 'BB' },
  { name: 'easterMonday', on: 1 },
  { name: 'labourDay', on: '05-01' },
  { name: 'ascension', on: 39 },
  { name: 'whitSunday', on: 49, states: 'BB' },
  { name: 'whitMonday', on: 50 },
  { name: 'corpusChristi', on: 60, states: 'BW BY HE NW RP SL' },
  { name: 'assumption', on: '08-15', states: 'BY SL' },
  { name: 'childrensDay', on: '09-20', states: 'TH', since: 2019 },
  { name: 'unityDay', on: '10-03' },
  { name: 'reformationDay', on: '10-31', states: 'BB HB HH MV NI SN ST SH TH' },
  { name: 'allSaints', on: '11-01', states: 'BW BY NW RP SL' },
  { name: 'christmasDay', on: '12-25' },
  { name: 'boxingDay', on: '12-26' },
]
/** One-time holidays of Berlin. */
const ONE_TIME: Record<string, [date: string, name: string][]> = {
  BE: [
    ['2020-05-08', 'liberationDay'],
    ['2025-05-08', 'liberationDay'],
    ['2028-06-17', 'uprising1953'],
  ],
}

/** Day of Repentance and Prayer (Buß- und Bettag): the Wednesday before 23 November. */
function repentanceDay(year: number): string {
  const limit = new Date(Date.UTC(year, 10, 22))
  return dateOf(limit.getTime() / DAY_MS - ((limit.getUTCDay() + 4) % 7))
}

/**
 * Public holidays of a German state as sorted 'YYYY-MM-DD' dates, for the years from 2018 on. @param region ISO 3166-2
 * code such as DE-NI
 */
export function publicHolidaysOf(region: string, year: number): string[] {
  return listHolidays(region, year)
    .map(([date]) => date)
    .sort()
}

/** Dates of the public holidays and the text keys of their names. */
function listHolidays(region: string, year: number): [date: string, name: string][] {
  const state = region.replace('DE-', '')
  const easter = easterDay(year)
  const dates = HOLIDAYS.filter(
    ({ states, since = 0 }) => year >= since && (!states || states.split(' ').includes(state)),
  ).map(({ on, name }): [string, string] => [typeof on === 'number' ? dateOf(easter + on) : `${year}-${on}`, name])
  const oneTime = (ONE_TIME[state] ?? []).filter(([date]) => date.startsWith(`${year}-`))
  return [...dates, ...oneTime, ...(state === 'SN' ? [[repentanceDay(year), 'repentanceDay'] as [string, string]] : [])]
}

/** Cache by region and year. Several dates are looked up for every lesson of a programme. */
const known = new Map<string, Map<string, string>>()

/**
 * Text key of a public holiday's name in the region; null if the date is not a public holiday.
 * @param date 'YYYY-MM-DD'
 */
export function holidayNameOf(region: string, date: string): string | null {
  const year = date.slice(0, 4)
  const key = `${region} ${year}`
  const holidays = known.get(key) ?? new Map(listHolidays(region, Number(year)))
  known.set(key, holidays)
  return holidays.get(date) ?? null
}

/** Whether a calendar date ('YYYY-MM-DD') is a public holiday in the region. */
export const isPublicHoliday = (region: string, date: string): boolean => holidayNameOf(region, date) !== null

const states: Record<string, string[][]> = data.states

/**
 * Whether a calendar date ('YYYY-MM-DD') is within the Easter or autumn school holidays of a German state (in Hamburg,
 * the spring holidays in March). The data covers 2024 up to the Easter holidays of 2030; outside this range, no date is
 * a school holiday. The data file names its source.
 * @param region ISO 3166-2 code such as DE-NI
 */
export function isSchoolHoliday(region: string, date: string): boolean {
  return (states[region] ?? []).some(([first = '', last = '']) => first <= date && date <= last)
}

/** Last day covered by a state's school holiday data, 'YYYY-MM-DD'. @param region ISO 3166-2 code */
export const lastSchoolHoliday = (region: string): string =>
  (states[region] ?? []).map(([, last = '']) => last).reduce((a, b) => (a > b ? a : b), '')

/** Whether a date is a weekday from Monday to Friday and not a public holiday in the region. */
export function isWorkingDay(region: string, date: string): boolean {
  const weekday = new Date(date).getUTCDay()
  return weekday >= 1 && weekday <= 5 && !isPublicHoliday(region, date)
}

/** The `count`th working day after a calendar date, which itself is not counted. Dates are 'YYYY-MM-DD'. */
export function addWorkingDays(region: string, date: string, count: number): string {
  let day = date
  for (let left = count; left > 0; ) {
    day = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
    if (isWorkingDay(region, day)) left -= 1
  }
  return day
}
