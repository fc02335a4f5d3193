import type { Course } from '#contract/courses.ts'
import { namesExpireAt, type StoredList } from './model.ts'
import type { OutboxDatabase } from './outbox-database.ts'
import type { OutboxEntry } from './outbox-records.ts'

/** What an instructor has on the phone: the own courses and the lists of those that run. Times are device times in ms. */
export type Kept = { courses: Course[] | null; coursesFetchedAt: number; lists: Record<number, StoredList> }

export const NOTHING_KEPT: Kept = { courses: null, coursesFetchedAt: 0, lists: {} }

type Courses = { kind: 'courses'; courses: Course[]; fetchedAt: number }
type List = { kind: 'list'; list: StoredList }

const coursesKey = (userId: number) => `${userId}/courses`
const listKey = (userId: number, courseId: number) => `${userId}/list/${courseId}`

/** Reads what is kept for a person. Lists whose names may not stay any longer, and everything of another person, are removed. */
export async function readKept(database: OutboxDatabase, userId: number, now: number): Promise<Kept> {
  const rows = (await database.listKept()) as { key: string; value: Courses | List }[]
  const mayStay = ({ key, value }: (typeof rows)[number]) =>
    key.startsWith(`${userId}/`) && (value.kind === 'courses' || namesExpireAt(value.list) > now)
  const gone = rows.filter(row => !mayStay(row)).map(({ key }) => [key, null])
  if (gone.length > 0) await database.writeKept(Object.fromEntries(gone))
  const kept: Kept = { ...NOTHING_KEPT, lists: {} }
  for (const { value } of rows.filter(mayStay)) {
    if (value.kind === 'list') kept.lists[value.list.courseId] = value.list
    else Object.assign(kept, { courses: value.courses, coursesFetchedAt: value.fetchedAt })
  }
  return kept
}

export const writeCourses = (database: OutboxDatabase, userId: number, courses: Course[], fetchedAt: number) =>
  database.writeKept({ [coursesKey(userId)]: { kind: 'courses', courses, fetchedAt } satisfies Courses })

/** Keeps a list. @param settled entries that the server had confirmed before it was asked for the list: it shows them */
export const writeList = (database: OutboxDatabase, userId: number, list: StoredList, settled: OutboxEntry[]) =>
  database.writeKept({ [listKey(userId, list.courseId)]: { kind: 'list', list } satisfies List }, settled)

/** Everything with names leaves the phone. The outbox stays. */
export async function removeKept(database: OutboxDatabase): Promise<void> {
  const rows = await database.listKept()
  await database.writeKept(Object.fromEntries(rows.map(({ key }) => [key, null])))
}
