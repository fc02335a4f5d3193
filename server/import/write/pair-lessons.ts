import type { LessonRow } from '../schedule.ts'

export type WantedLesson = {
  course_id: number
  /** 'YYYY-MM-DD HH:MM:SS' */
  held_at: string
  row: LessonRow | null
}

export type StoredLesson = {
  id: number
  course_id: number
  held_at: string
  /** start before the desk moved the lesson */
  moved_from: string | null
  /** added by the desk */
  is_extra: boolean
  /** modified by the desk */
  is_touched: boolean
  is_attended: boolean
}

export type Differences = {
  /** stored but not scheduled */
  gone: StoredLesson[]
  /** scheduled but not stored */
  added: WantedLesson[]
  /** all lessons moved by the desk */
  moved: StoredLesson[]
}

/**
 * Matches scheduled lessons with stored ones that differ: a moved lesson matches the schedule at its original start;
 * two on the same day match despite different times. Lessons moved by the desk stay where they are unless the row
 * specifies a time.
 * @returns `moved`: lessons with their new start. `placed`: actual start of scheduled lessons, null if another row has
 * it
 */
export function pairLessons({ gone, added, moved }: Differences) {
  const left = new Map(gone.map(lesson => [lesson.id, lesson]))
  const rest = new Set(added)
  const moves: StoredLesson[] = []
  const placed = new Map<WantedLesson, string | null>()
  const joined = new Set<number>()

  const join = (wanted: WantedLesson, lesson: StoredLesson) => {
    rest.delete(wanted)
    joined.add(lesson.id)
    const isElsewhere = !left.delete(lesson.id)
    if (isElsewhere) placed.set(wanted, null)
    else if (lesson.moved_from !== null && !wanted.row?.startTime) placed.set(wanted, lesson.held_at)
    else moves.push({ ...lesson, held_at: wanted.held_at })
  }
  const joinBy = (
    lessons: StoredLesson[],
    placeOf: (lesson: StoredLesson) => string,
    cut: (at: string) => string = at => at,
  ) => {
    const free = lessons.filter(({ id }) => !joined.has(id))
    const byPlace = Map.groupBy(free, lesson => `${lesson.course_id} ${cut(placeOf(lesson))}`)
    for (const wanted of [...rest]) {
      const lesson = byPlace.get(`${wanted.course_id} ${cut(wanted.held_at)}`)?.shift()
      // A row with its own time is a separate lesson if the moved one belongs to another row.
      if (lesson && (left.has(lesson.id) || !wanted.row?.startTime)) join(wanted, lesson)
    }
  }
  const toDay = (at: string) => at.slice(0, 10)
  joinBy(moved, lesson => lesson.moved_from ?? '')
  joinBy(moved, lesson => lesson.moved_from ?? '', toDay)
  joinBy(
    [...left.values()].filter(({ is_extra }) => !is_extra),
    ({ held_at }) => held_at,
    toDay,
  )
  return { moved: moves, gone: [...left.values()], added: [...rest], placed }
}
