import type { Queryable } from '#server/db/client.ts'
import { type LessonClash, listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { type Message, message } from '#server/import/messages.ts'

const MAX_NOTES = 20

/** Notes pairs of courses whose future lessons overlap in a room or instructor; not an error. */
export async function noteClashes(tx: Queryable): Promise<Message[]> {
  const pairs = new Map<string, LessonClash[]>()
  const clashes = await listLessonClashes(tx, {})
  for (const clash of clashes) {
    const key = `${clash.courseId} ${clash.otherCourseId}`
    pairs.set(key, [...(pairs.get(key) ?? []), clash])
  }
  const notes = [...pairs.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { name, otherName, room, instructor, at } = first
    const more = others.length > 0 ? message` and ${others.length} more times` : message``
    const what = room === null ? message`instructor ${instructor ?? ''}` : message`room ${room}`
    return [message`Courses ${name} and ${otherName} need ${what} at once: ${at.replace('T', ' ')}${more}`]
  })
  const rest = notes.length - MAX_NOTES
  if (rest <= 0) return notes
  const more = clashes.some(({ isCut }) => isCut)
    ? message`… and more than ${rest} more pairs of courses`
    : message`… and ${rest} more pairs of courses`
  return [...notes.slice(0, MAX_NOTES), more]
}
