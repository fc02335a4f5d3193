import { ANONYMOUS_COURSE_STATE, type Course } from '#contract/endpoints/courses.ts'
import { EMPTY_FIELD_VALUES } from '#contract/tables/course.ts'
import type { DateTimeValue } from '#contract/values.ts'

export const dateOf = (text: string): DateTimeValue => {
  const [date = '', time = '00:00'] = text.split(' ')
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return { year, month, day, hour, minute, second: 0 }
}

/** A course with nothing special about it: Monday evening, 20 places, 5 booked, open. */
export const testCourse = (changes: Partial<Course> = {}): Course => ({
  ...ANONYMOUS_COURSE_STATE,
  ...EMPTY_FIELD_VALUES,
  id: 1,
  number: 'F-2614',
  name: 'Rückenfit am Feierabend',
  name2: 'After-work back fitness',
  textWeb: 'Kräftigen und mobilisieren',
  textWeb2: '',
  venue: 'Halle 2',
  city: 'Salzstadt',
  instructor: 'Ines Brandt',
  day: 1,
  weekdays: [changes.day ?? 1],
  bookingSelection: '',
  startTime: dateOf('0-0-0 17:30'),
  endTime: dateOf('0-0-0 18:30'),
  start: dateOf('2026-12-07'),
  end: dateOf('2027-03-08'),
  dates: [],
  bookableFrom: dateOf('2026-11-02 08:00'),
  running: false,
  fee: 45,
  energyFee: 0,
  externalFee: 60,
  participants: 20,
  currentParticipants: 5,
  changes: [],
  cancelled: false,
  currentWaiting: 0,
  currentBooked: 5,
  confirmed: true,
  participatingComplete: false,
  courseCategory: 'Fitness',
  courseCategory2: '',
  courseCategoryId: 3,
  categoryIcon: 'fitness',
  seasonId: 1,
  season: 'Winter',
  season2: 'Winter',
  seasonBookable: true,
  status: 'Ok',
  message: '',
  ...changes,
})
