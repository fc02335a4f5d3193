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
  /** where it was before the desk moved it */
  moved_from: string | null
  /** added by the desk */
  is_extra: boolean
  /** the desk has worked on it */
  is_touched: boolean
  is_attended: boolean
}

export type Differences = {
  /** stored, and wanted nowhere */
  gone: StoredLesson[]
  /** wanted, and stored nowhere */
  added: WantedLesson[]
  /** of all stored ones, those that the desk moved */
  moved: StoredLesson[]
}

/**
 * Which stored lesson a wanted one is, where the two differ: a lesson that the desk moved is the one that was wanted at its old
 * place, and two on one day are the same at another time. What the desk moved stays where it is, unless the row gives a time itself.
 * @returns `moved`: with their new places. `placed`: where the lessons of wanted ones stay instead, null where another row has it
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
      // A row that gives a time itself wants a lesson of its own where the moved one is another row's.
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
