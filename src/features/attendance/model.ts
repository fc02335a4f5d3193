import type { CourseDates, Participant } from '#contract/attendance.ts'
import { wallClockMs } from '#lib/format.ts'
import type { Completion, OutboxEntry, Tick } from './outbox-records.ts'

/** A list as the server gave it. `fetchedAt` is device time in ms. */
export type StoredList = CourseDates & { fetchedAt: number }

/** Where one tick stands. `saving`: the write to this phone's disk is not finished yet. */
export type TickState = 'saving' | 'onThisPhone' | 'sending' | 'confirmed' | 'refused'

export type Row = {
  webUserId: number
  name: string
  isPresent: boolean
  /** what the server has, to decide on a refused tick */
  isPresentAtServer: boolean
  /** dates on which the person was present, this phone's ticks included */
  participation: number
  state: TickState
  reason: string
}

const STATES = { waiting: 'onThisPhone', sending: 'sending', refused: 'refused', confirmed: 'confirmed' } as const

type Ticks = Map<string, Tick>
const tickKey = (courseDateId: number, webUserId: number) => `${courseDateId}/${webUserId}`

/** The ticks of one person's outbox by date and participant. */
export const ticksOf = (entries: OutboxEntry[], userId: number): Ticks =>
  new Map(
    entries
      .filter((entry): entry is Tick => entry.kind === 'tick' && entry.userId === userId)
      .map(tick => [tickKey(tick.courseDateId, tick.webUserId), tick]),
  )

/** What is recorded for this person and date: the phone's tick before the server's value. A refused tick does not count. */
const isPresentOn = (ticks: Ticks, courseDateId: number, person: Participant) => {
  const tick = ticks.get(tickKey(courseDateId, person.id))
  return tick && tick.state !== 'refused' ? tick.isPresent : person.isUserPresent
}

/** The rows of one date: the server's list with this phone's ticks laid over it. @param saving ticks not on the disk yet */
export function rowsOf(list: StoredList, courseDateId: number, ticks: Ticks, saving: Ticks): Row[] {
  const all = new Map([...ticks, ...saving])
  const date = list.courseDates.find(({ id }) => id === courseDateId)
  const counts = new Map<number, number>()
  for (const { id, participants } of list.courseDates) {
    for (const person of participants) {
      if (isPresentOn(all, id, person)) counts.set(person.id, (counts.get(person.id) ?? 0) + 1)
    }
  }
  return (date?.participants ?? []).map(person => {
    const key = tickKey(courseDateId, person.id)
    const tick = all.get(key)
    return {
      webUserId: person.id,
      name: person.name,
      isPresent: tick ? tick.isPresent : person.isUserPresent,
      isPresentAtServer: person.isUserPresent,
      participation: counts.get(person.id) ?? 0,
      state: saving.has(key) ? 'saving' : tick ? STATES[tick.state] : 'confirmed',
      reason: tick?.lastError ?? '',
    }
  })
}

/** The list after the server confirmed an entry. */
export function applyConfirmed(list: StoredList, entry: OutboxEntry): StoredList {
  if (entry.kind === 'completion') return { ...list, participatingComplete: entry.isCompleted }
  const change = (person: Participant) =>
    person.id === entry.webUserId ? { ...person, isUserPresent: entry.isPresent } : person
  return {
    ...list,
    courseDates: list.courseDates.map(date =>
      date.id === entry.courseDateId ? { ...date, participants: date.participants.map(change) } : date,
    ),
  }
}

/** Whether the attendance is closed, as far as this phone knows: its own wish before the server's value. */
export function isClosed(list: StoredList, completion: Completion | undefined): boolean {
  return completion && completion.state !== 'refused' ? completion.isCompleted : list.participatingComplete
}

const KEEP_NAMES_MS = 48 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Until when a list with names may stay on the phone: 48 hours after the next date at the time it was fetched, or after the
 * fetch when no date was to come. Device time in ms.
 * @param zoneOffsetMs wall-clock time of the portal minus UTC, in ms
 */
export function namesExpireAt(list: StoredList, zoneOffsetMs: number): number {
  const next = list.courseDates
    .map(({ date }) => wallClockMs(date) - zoneOffsetMs)
    .filter(heldAt => heldAt > list.fetchedAt - DAY_MS)
    .sort((a, b) => a - b)[0]
  return Math.max(next ?? 0, list.fetchedAt) + KEEP_NAMES_MS
}
