import type { ResponseOf } from '#contract/endpoint.ts'
import { type getToday, TODAY_TASKS, type TodayTask } from '#contract/office/today.ts'
import type { Right } from '#contract/values.ts'
import { listUnhandledWalkInGuests } from '#server/features/attendance/repository.ts'
import type { Database } from '#server/platform/db/client.ts'
import type { TaskPage, Tasks } from './today-repository.ts'
import * as repository from './today-repository.ts'

type Today = ResponseOf<typeof getToday>
type TaskItem<Task extends TodayTask> = NonNullable<Today[Task]>[number]

async function listGuests(db: Database, { limit, offset }: TaskPage): Promise<Tasks<TaskItem<'guests'>>> {
  const guests = await listUnhandledWalkInGuests(db)
  const items = guests
    .slice(offset, offset + limit)
    .map(({ guestId, name, courseId, courseName, heldAt, freePlaces, accounts }) => ({
      guestId,
      name,
      courseId,
      courseName,
      freePlaces,
      accounts,
      at: heldAt.slice(0, 16).replace(' ', 'T'),
    }))
  return { items, total: guests.length }
}

/** Query and required rights of each list of tasks. */
const TASK_LISTS: {
  [Task in TodayTask]: {
    rights: readonly Right[]
    list: (db: Database, page: TaskPage) => Promise<Tasks<TaskItem<Task>>>
  }
} = {
  call: { rights: ['bookings'], list: repository.listPeopleToCall },
  clashes: { rights: ['programme'], list: repository.listClashes },
  absences: { rights: ['programme'], list: repository.listAbsences },
  substitutes: { rights: ['programme'], list: repository.listUnansweredSubstituteRequests },
  closures: { rights: ['programme'], list: repository.listClosuresWithLessons },
  guests: { rights: ['bookings'], list: listGuests },
  mails: { rights: ['bookings'], list: repository.listDelayedMails },
  withoutPayer: { rights: ['bookings'], list: repository.listAmountsWithoutPayer },
  numberConflicts: { rights: ['bookings'], list: repository.listPersonnelNumberConflicts },
  unverified: { rights: ['bookings'], list: repository.listUnverifiedPeople },
  passedOver: { rights: ['bookings'], list: repository.listPeoplePassedOver },
  decisions: { rights: ['programme'], list: repository.listPendingCourseDecisions },
  licences: { rights: ['programme'], list: repository.listExpiringLicences },
  unrecorded: { rights: ['programme', 'bookings'], list: repository.listUnrecordedLessons },
  openings: { rights: ['programme'], list: repository.listBookingStarts },
}

/** Lists of tasks that people with these rights see on *Today*. */
export const listShownTasks = (rights: readonly Right[]): TodayTask[] =>
  TODAY_TASKS.filter(name => TASK_LISTS[name].rights.some(right => rights.includes(right)))

/** Lists of tasks with their totals, and the accounts that they name. */
export async function readTasks(db: Database, names: readonly TodayTask[], page: TaskPage) {
  const found = await Promise.all(names.map(async name => ({ name, ...(await TASK_LISTS[name].list(db, page)) })))
  const people = found
    .flatMap(({ items }): object[] => items)
    .flatMap(item => ('accounts' in item ? (item.accounts as object[]) : [item]))
    .flatMap(item => ('webUserId' in item && typeof item.webUserId === 'number' ? [item.webUserId] : []))
  return {
    people,
    totals: Object.fromEntries(found.map(({ name, total }) => [name, total])),
    lists: Object.fromEntries(found.map(({ name, items }) => [name, items])) as Pick<Today, TodayTask>,
  }
}
