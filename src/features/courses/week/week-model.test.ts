import { expect, test } from 'vitest'
import { fromLocalTimeMs } from '#lib/format.ts'
import { testCourse } from '#test/courses.ts'
import { layOutLessonDays } from './week-model.ts'

test('a lesson that was moved into another room is shown there, and the others at the venue of the course', () => {
  const fromMs = Date.UTC(2026, 11, 7)
  const at = (day: number) => fromLocalTimeMs(fromMs + day * 86_400_000 + 18 * 3_600_000)
  const course = testCourse({ venue: 'Halle 1', startTime: at(0) })
  const room = { at: at(1), kind: 'room', from: 'Halle 1', to: 'Becken, Lindhafen', note: '', note2: '' } as const
  const lessons = new Map([[course.id, { dates: [at(0), at(1)], changes: [room] }]])
  const days = layOutLessonDays([course], lessons, fromMs, 2)
  expect(days.map(day => day.lessons.map(({ place }) => place))).toEqual([['Halle 1'], ['Becken, Lindhafen']])
})
