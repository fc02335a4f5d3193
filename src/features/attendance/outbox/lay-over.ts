import type { CourseDate } from '#contract/attendance.ts'
import type { StoredList } from './list-rows.ts'
import { type OutboxEntry, tickOf } from './records.ts'

/** Lays over a list what the server has answered to a change. */
export function layOver(list: StoredList, entry: OutboxEntry): StoredList {
  if (entry.kind === 'completion') return { ...list, participatingComplete: entry.isCompleted }
  if (entry.kind === 'guest') {
    const { guestId, name } = entry
    const guestsOf = ({ guests = [] }: CourseDate) => [
      ...guests.filter(guest => guest.guestId !== guestId),
      ...(entry.isNoted ? [{ guestId, name }] : []),
    ]
    const courseDates = list.courseDates.map(of =>
      of.id === entry.courseDateId ? { ...of, guests: guestsOf(of) } : of,
    )
    return { ...list, courseDates }
  }
  const said = entry.state === 'overtaken' ? tickOf(entry.stands ?? (entry.isPresent ? 'absent' : 'present')) : entry
  const [isUserPresent, isRecorded] = [said.isPresent, said.isRecorded !== false]
  const isOf = ({ id }: { id: number }) => id === entry.webUserId
  const before = list.courseDates.find(({ id }) => id === entry.courseDateId)?.participants.find(isOf)
  // A list kept by an earlier version tells only of those who were there.
  const wasRecorded = before?.isRecorded ?? before?.isUserPresent
  if (!before || (before.isUserPresent === isUserPresent && wasRecorded === isRecorded)) return list
  const participation = Math.max(0, before.participation + Number(isUserPresent) - Number(before.isUserPresent))
  const dates = list.courseDates.map(date => ({
    ...date,
    participants: date.participants.map(person =>
      isOf(person)
        ? {
            ...person,
            participation,
            ...(date.id === entry.courseDateId ? { isUserPresent, isRecorded } : {}),
          }
        : person,
    ),
  }))
  const preselected = dates.find(({ id }) => id === list.preSelectCourseDateId)
  return { ...list, courseDates: dates, participants: preselected?.participants ?? list.participants }
}
