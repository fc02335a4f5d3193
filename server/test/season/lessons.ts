import type { PersonName } from './programme.ts'
import type { Season } from './season.ts'
import { wallClockOf } from './test-clock.ts'

/**
 * All lessons in chronological order with their attendance. 1: present, 0: absent, -: not recorded, space: no place.
 * Changes by staff are included: cancelled lessons are missing, and moved and extra ones have their new date.
 */
type HeldCourse = {
  teacher: PersonName
  /** when attendance is recorded, after the lesson */
  at: string
  /** 'MM-DD' */
  days: string[]
  substitutes?: Record<string, PersonName>
  marks: Partial<Record<PersonName, string>>
}

// biome-ignore format: a table with one row per person
export const HELD: Record<string, HeldCourse> = {
  'H-01': {
    teacher: 'tina', at: '19:05',
    days: ['09-28', '10-05', '10-26', '11-02', '11-09', '11-16', '11-23', '11-30', '12-07', '12-14'],
    substitutes: { '11-09': 'sina' },
    marks: {
      anna:  '1101110111',
      bernd: '1100110010',
      cem:   '1010010010',
      rosa:  '11000     ',
      olga:  '     11101',
    },
  },
  // The lesson of 10 November is cancelled.
  'H-02': {
    teacher: 'tina', at: '18:35',
    days: ['09-29', '10-06', '10-27', '11-03', '11-17', '11-24', '12-01', '12-08'],
    marks: {
      jan:  '11111111',
      karl: '11110000',
      uwe:  '11100000',
      paul: '10      ',
    },
  },
  // The last lesson is moved from 3 to 10 December.
  'H-03': {
    teacher: 'tina', at: '07:50',
    days: ['10-01', '10-08', '10-29', '11-05', '11-12', '11-19', '11-26', '12-10'],
    marks: {
      dora:   '11000011',
      emil:   '11000011',
      frieda: '11000011',
      gerd:   '11101101',
      jan:    '10101010',
    },
  },
  'H-04': {
    teacher: 'theo', at: '12:50',
    days: ['09-29', '10-01', '10-06', '10-08', '10-27', '10-29', '11-03', '11-05'],
    marks: {
      lena:  '10000000',
      karl:  '110     ',
      tommy: '111000  ',
      tom:   '      11',
      vera:  '11111111',
    },
  },
  // The first lesson, on 30 September, is cancelled.
  'H-05': {
    teacher: 'theo', at: '20:50',
    days: ['10-07', '10-28', '11-04', '11-11', '11-18', '11-25', '12-02'],
    marks: {
      mia:  '1111111',
      nils: '    101',
    },
  },
  // The lesson of 25 November is moved to the 27th.
  'H-06': {
    teacher: 'theo', at: '18:05',
    days: ['09-30', '10-07', '10-28', '11-04', '11-11', '11-18', '11-27', '12-02'],
    marks: { ida: '11111111' },
  },
  'H-07': {
    teacher: 'theo', at: '17:05',
    days: ['10-02', '10-09', '10-30', '11-06', '11-13', '11-20', '11-27', '12-04'],
    marks: {
      anna: '10000000',
      jan:  '11000000',
    },
  },
  // Summer time ends in the night before the third lesson.
  'H-08': {
    teacher: 'theo', at: '10:20',
    days: ['10-04', '10-11', '10-25', '11-01', '11-08', '11-15', '11-22', '11-29'],
    marks: {
      anna:  '11111100',
      bernd: '10100000',
    },
  },
  // The lesson of 12 November is not recorded, that of 10 December is an extra one.
  'H-10': {
    teacher: 'theo', at: '19:10',
    days: ['10-29', '11-05', '11-12', '11-19', '11-26', '12-03', '12-10'],
    marks: { paul: '11-1111' },
  },
  // The lesson of 28 March is an extra one in the Easter holidays: summer time begins in the night before it.
  'F-01': {
    teacher: 'tina', at: '11:05',
    days: ['01-31', '02-07', '02-14', '02-21', '02-28', '03-07', '03-14', '03-21', '03-28', '04-04', '04-11', '04-18'],
    marks: {
      anna:   '111111111111',
      gerd:   '110000000001',
      dora:   '111111000000',
      emil:   '111111000000',
      frieda: '111111000000',
    },
  },
}

/** Adds the year to 'MM-DD': the simulation runs from August to April. */
export const inYear = (day: string) => `${day < '08' ? 2027 : 2026}-${day}`

const STOPS = Object.entries(HELD).flatMap(([number, { teacher, at, days, substitutes = {}, marks }]) =>
  days.map((day, index) => {
    const marked = (mark: string) =>
      (Object.keys(marks) as PersonName[]).filter(name => marks[name]?.charAt(index) === mark)
    return {
      at: `${inYear(day)} ${at}`,
      number,
      day: inYear(day),
      instructor: substitutes[day] ?? teacher,
      present: marked('1'),
      isRecorded: marked('-').length === 0,
    }
  }),
)

const DAY_MS = 86_400_000
const nextDay = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** Jobs run on the evening before each lesson and on Mondays. */
const EVENINGS = new Set(STOPS.map(({ day }) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)))
const isMonday = (day: string) => new Date(day).getUTCDay() === 1

/** Advances the clock in steps: runs the jobs on the evening before each lesson and records attendance after it. */
export async function simulateUntil(season: Season, to: string): Promise<void> {
  const from = wallClockOf(season.clock.now())
  const stops = new Map<string, typeof STOPS>()
  for (let day = from.slice(0, 10); day <= to.slice(0, 10); day = nextDay(day))
    if (EVENINGS.has(day) || isMonday(day)) stops.set(`${day} 18:30`, [])
  for (const stop of STOPS) stops.set(stop.at, [...(stops.get(stop.at) ?? []), stop])
  for (const at of [...stops.keys()].sort()) {
    if (at <= from || at > to) continue
    await season.advanceTo(at)
    for (const { number, day, instructor, present, isRecorded } of stops.get(at) ?? [])
      if (isRecorded) await season.tick(instructor, number, day, present)
  }
  if (!stops.has(to)) await season.advanceTo(to)
}
