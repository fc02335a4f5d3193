import type { Course } from '#contract/endpoints/courses.ts'
import { keysOf } from '#contract/records.ts'

type Timed = Pick<Course, 'startTime'>

/** Parts of the day by the start of the lesson, in minutes since midnight. `afterwork` and `evening` overlap. */
export const DAY_PARTS = { morning: [0, 660], noon: [660, 840], afterwork: [840, 1080], evening: [1020, 1440] } as const
export type DayPart = keyof typeof DAY_PARTS

/** Start time in minutes since midnight. */
export const minuteOfDay = ({ startTime }: Timed): number => startTime.hour * 60 + startTime.minute

export const dayPartsOf = (course: Timed): DayPart[] =>
  keysOf(DAY_PARTS).filter(part => {
    const [from, to] = DAY_PARTS[part]
    return from <= minuteOfDay(course) && minuteOfDay(course) < to
  })
