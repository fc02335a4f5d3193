import { expect, test } from 'vitest'
import {
  assignLessonLanes,
  countClashes,
  displayedHoursOf,
  findFreeSpans,
  firstDayOfPlan,
  snappedStartMinute,
  toPlanRows,
} from './plan-model.ts'
import type { GridLesson, ProgrammeGrid } from './resource.ts'

const MONDAY = '2027-03-01'
const ida = { email: 'ida@sport.example', name: 'Ida Berg' }
const ole = { email: 'ole@sport.example', name: 'Ole Tal' }

const lessonOf = (courseDateId: number, times: string, more: Partial<GridLesson> = {}): GridLesson => {
  const [startTime = '', endTime = ''] = times.split('–')
  return {
    courseDateId,
    courseId: courseDateId,
    seasonId: 1,
    version: 1,
    number: `W-${courseDateId}`,
    name: 'Yoga',
    name2: 'Yoga',
    date: MONDAY,
    startTime,
    endTime,
    state: 'planned',
    roomId: 1,
    room: 'Halle 1',
    shared: false,
    instructors: [ida],
    instructorEmail: null,
    booked: 0,
    places: 10,
    clash: false,
    clashes: [],
    uncovered: false,
    closed: false,
    ...more,
  }
}
const gridOf = (lessons: GridLesson[], more: Partial<ProgrammeGrid> = {}): ProgrammeGrid => ({
  from: MONDAY,
  to: '2027-03-07',
  holidays: [],
  absences: [],
  closures: [],
  lessons,
  ...more,
})
const DAY = { from: 17 * 60, to: 21 * 60 }
const clock = ({ from, to }: { from: number; to: number }) => `${from / 60}–${to / 60}`

test('a row’s hours span its lessons plus one hour before and after, within the day', () => {
  expect(clock(displayedHoursOf([lessonOf(1, '17:30–18:15'), lessonOf(2, '19:00–20:00')]))).toBe('16–21')
  expect(clock(displayedHoursOf([lessonOf(1, '00:15–23:30')]))).toBe('0–24')
  // A lesson that ends after midnight is drawn until midnight.
  expect(clock(displayedHoursOf([lessonOf(1, '22:00–00:30')]))).toBe('21–24')
})

test('overlapping lessons are side by side, others take the full width', () => {
  const placed = assignLessonLanes([lessonOf(1, '18:00–19:00'), lessonOf(2, '18:30–19:30'), lessonOf(3, '20:00–21:00')])
  expect(placed.map(({ lane, lanes }) => [lane, lanes])).toEqual([
    [0, 2],
    [1, 2],
    [0, 1],
  ])
})

test('a dragged lesson keeps its time nearby, or else snaps to quarter hours within the displayed hours', () => {
  const lesson = lessonOf(1, '18:10–19:10')
  expect(snappedStartMinute(lesson, 18 * 60, DAY)).toBe(18 * 60 + 10)
  expect(snappedStartMinute(lesson, 19 * 60 + 5, DAY)).toBe(19 * 60)
  expect(snappedStartMinute(lesson, 23 * 60, DAY)).toBe(20 * 60)
  expect(snappedStartMinute(lesson, 9 * 60, DAY)).toBe(17 * 60)
})

const inRow = (
  grid: ProgrammeGrid,
  key: string,
  date = MONDAY,
  lesson = grid.lessons[0] as GridLesson,
  by: 'room' | 'instructor' = 'room',
) => {
  const row = toPlanRows(grid.lessons, by, '–').find(one => one.key === key)
  if (!row) throw new Error(`no row ${key}`)
  return findFreeSpans(grid, lesson, { row, date, hours: DAY }, MONDAY).map(clock)
}

test('a lesson fits where its room and instructor are free for its whole duration', () => {
  const dragged = lessonOf(1, '18:00–19:00')
  const grid = gridOf([
    dragged,
    lessonOf(2, '19:30–20:30', { instructors: [ole] }),
    lessonOf(3, '17:00–17:30', { roomId: 2, room: 'Halle 2' }),
    lessonOf(4, '18:00–21:00', { state: 'cancelled' }),
  ])
  // Ida teaches in the other hall until 17:30, and the half hour at the end is too short.
  expect(inRow(grid, '1')).toEqual(['17.5–19.5'])
  expect(inRow(grid, '2')).toEqual(['17.5–21'])
  expect(inRow(grid, '1', '2027-03-02')).toEqual(['17–21'])
})

test('nothing fits on past days, on holidays or while the instructor is absent', () => {
  const absences = [{ absenceId: 1, instructorEmail: ida.email, name: ida.name, from: '2027-03-03', to: '2027-03-03' }]
  const grid = gridOf([lessonOf(1, '18:00–19:00'), lessonOf(2, '18:00–19:00', { instructors: [ole], roomId: 2 })], {
    absences,
    holidays: ['2027-03-02'],
  })
  for (const date of ['2027-02-28', '2027-03-02', '2027-03-03']) expect(inRow(grid, '1', date)).toEqual([])
  // The substitute is not absent.
  expect(inRow(grid, ole.email, '2027-03-03', grid.lessons[0], 'instructor')).toEqual(['17–21'])
})

test('a shared room can host several lessons at the same time, an unregistered venue only one', () => {
  const alone = { instructors: [ole] }
  const pool = gridOf([
    lessonOf(1, '18:00–19:00', { shared: true }),
    lessonOf(2, '17:00–21:00', { shared: true, ...alone }),
  ])
  expect(inRow(pool, '1')).toEqual(['17–21'])
  const place = { roomId: null, room: 'Pavillon' }
  const park = gridOf([lessonOf(1, '18:00–19:00', place), lessonOf(2, '17:00–18:00', { ...place, ...alone })])
  expect(inRow(park, 'Pavillon')).toEqual(['18–21'])
  // Dragging cannot assign a place that is not a registered room.
  const other = gridOf([lessonOf(1, '18:00–19:00'), lessonOf(2, '17:00–18:00', { ...place, ...alone })])
  expect(inRow(other, 'Pavillon')).toEqual([])
})

test('rows of instructors have the order of the list of instructors', () => {
  const both = lessonOf(1, '10:00–11:00', { instructors: [ida, ole] })
  expect(toPlanRows([both], 'instructor', '', [], [ole, ida]).map(({ email }) => email)).toEqual([ole.email, ida.email])
})

test('clashes are counted once, and only on the days and in the rows that are shown', () => {
  const both = lessonOf(1, '10:00–11:00', { clash: true, instructors: [ida, ole] })
  const later = lessonOf(2, '10:00–11:00', { clash: true, date: '2027-03-02' })
  const rows = toPlanRows([both, later, lessonOf(3, '12:00–13:00')], 'instructor', '')
  expect(countClashes(rows, [MONDAY, '2027-03-02'])).toBe(2)
  expect(countClashes(rows, [MONDAY])).toBe(1)
  expect(
    countClashes(
      rows.filter(({ email }) => email === ole.email),
      [MONDAY, '2027-03-02'],
    ),
  ).toBe(1)
})

test('the plan of a season that is over or ahead opens in the week of its first course, whatever its last day is', () => {
  const courseOf = (start: string, end: string, cancelled = false) => ({ start, end, cancelled })
  const courses = [courseOf('2027-01-18', '2027-03-29', true), courseOf('2027-02-01', '2027-04-12')]
  const open = (today: string, endsAt: string | null) => firstDayOfPlan({ startsAt: null, endsAt }, courses, today)
  expect([open('2027-01-04', null), open('2027-02-15', null)]).toEqual(['2027-02-01', '2027-02-15'])
  for (const endsAt of [null, '2027-04-30', '2027-06-30']) expect(open('2027-05-03', endsAt)).toBe('2027-02-01')
  expect(firstDayOfPlan({ startsAt: '2027-02-01', endsAt: '2027-04-30' }, [], '2027-05-03')).toBe('2027-02-01')
})
