import * as v from 'valibot'
import { type CourseDates, courseDate, courseDates, type Mark, markOf, type Participant } from '#contract/attendance.ts'
import type { Sealed, Sealer } from '#lib/encrypted-storage.ts'
import { wallClockMs } from '#lib/format.ts'
import type { StoredRow } from '#lib/indexed-db.ts'
import { instantOf } from '#lib/portal-time.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxEntry, OutboxView } from './records.ts'

/** A list as the server gave it, with what it confirmed since. `fetchedAt`: server time, ms since 1970. */
export type StoredList = CourseDates & {
  fetchedAt: number
  /** people and dates that have left the list while ticks of them are undecided: they stay named as long as the list does */
  former?: v.InferOutput<typeof former> | undefined
}

const former = v.object({
  people: v.array(v.object({ id: v.number(), name: v.string() })),
  dates: v.array(v.object({ id: v.number(), date: courseDate.entries.date })),
})

/** Adds those who have left the list since `before` and of whom `ticks` speak. */
export function withFormer(
  list: StoredList,
  before: StoredList | undefined,
  ticks: readonly OutboxEntry[],
): StoredList {
  if (!before) return list
  const spoken = ticks.filter(of => of.kind === 'tick')
  const listed = new Set(list.courseDates.flatMap(({ participants }) => participants.map(({ id }) => id)))
  const known = new Map([
    ...(before.former?.people ?? []).map(({ id, name }) => [id, name] as const),
    ...before.courseDates.flatMap(({ participants }) => participants.map(({ id, name }) => [id, name] as const)),
  ])
  const dates = new Map([...(before.former?.dates ?? []), ...before.courseDates].map(({ id, date }) => [id, date]))
  const gone = {
    people: [...new Set(spoken.map(({ webUserId }) => webUserId))].flatMap(id => {
      const name = listed.has(id) ? undefined : known.get(id)
      return name === undefined ? [] : [{ id, name }]
    }),
    dates: [...new Set(spoken.map(({ courseDateId }) => courseDateId))].flatMap(id => {
      const date = list.courseDates.some(of => of.id === id) ? undefined : dates.get(id)
      return date === undefined ? [] : [{ id, date }]
    }),
  }
  return gone.people.length + gone.dates.length > 0 ? { ...list, former: gone } : list
}

const KEEP_NAMES_MS = 48 * 60 * 60 * 1000

/**
 * Until when a list with names may stay on the phone: 48 hours after the next date at the time it was fetched, or after the
 * fetch when no date was to come. Server time, ms since 1970.
 */
export function namesExpireAt({ courseDates: dates, fetchedAt }: StoredList): number {
  const coming = dates.map(({ date }) => instantOf(wallClockMs(date))).filter(heldAt => heldAt > fetchedAt)
  return (coming.length > 0 ? Math.min(...coming) : fetchedAt) + KEEP_NAMES_MS
}

/** What a list says of a person; one kept by an earlier version tells only of those who were there. */
export const listedMark = ({ isUserPresent, isRecorded = isUserPresent }: Participant): Mark =>
  markOf({ isUserPresent, isRecorded })

const storedList = v.object({
  ...courseDates.entries,
  fetchedAt: v.number(),
  former: v.optional(former),
})
const keptCourses = v.object({ courses: v.array(v.looseObject({ id: v.number() })), fetchedAt: v.number() })
const sealedRow = v.object({
  kind: v.literal('sealed'),
  sessionId: v.string(),
  /** server time, ms; rows of earlier versions: device time */
  expiresAt: v.nullable(v.number()),
  iv: v.instance(Uint8Array),
  data: v.instance(ArrayBuffer),
})
const plainList = v.object({ kind: v.literal('list'), list: storedList })
/** As versions up to 1.2.0 kept them, in plain. */
const plainRow = v.variant('kind', [plainList, v.object({ kind: v.literal('courses'), ...keptCourses.entries })])

/** The session that a row is sealed for; null: it lies there in plain. */
export function sessionOf(value: unknown): string | null {
  const row = v.safeParse(sealedRow, value)
  return row.success ? row.output.sessionId : null
}

type Opened = { kind: 'list'; list: StoredList } | { kind: 'courses'; kept: v.InferOutput<typeof keptCourses> }

/** What a row holds; null for what nobody can read. */
export async function openRow({ key, value }: StoredRow, sealer: Sealer | null): Promise<Opened | null> {
  const unseal = async () => (v.is(sealedRow, value) ? await sealer?.open(key, value as Sealed) : value)
  // Sealed for a session that is no more, or damaged.
  const content = await unseal().catch(() => null)
  const list = v.safeParse(v.union([storedList, plainList]), content)
  if (list.success) return { kind: 'list', list: 'list' in list.output ? list.output.list : list.output }
  const courses = v.safeParse(keptCourses, content)
  return courses.success ? { kind: 'courses', kept: courses.output } : null
}

export const removal = (keys: string[]) => Object.fromEntries(keys.map(key => [key, null]))

export const listKey = (userId: number, courseId: number) => `${userId}/list/${courseId}`

/** Keys of the lists that unconfirmed changes refer to: they name the participants. */
export const neededLists = ({ entries }: Pick<OutboxView, 'entries'>): ReadonlySet<string> =>
  new Set(entries.filter(({ state }) => state !== 'confirmed').map(({ userId, courseId }) => listKey(userId, courseId)))

/** Expired, or without a readable expiry. */
function isExpired(value: unknown, now: number): boolean {
  const sealed = v.safeParse(sealedRow, value)
  if (sealed.success) return sealed.output.expiresAt !== null && sealed.output.expiresAt <= now
  const plain = v.safeParse(plainRow, value)
  return !plain.success || (plain.output.kind === 'list' && namesExpireAt(plain.output.list) <= now)
}

/**
 * Deletes expired lists from the device, of any user and session, except those that unconfirmed changes refer to.
 * @param now verified server time in ms: a device clock may jump. Null, as long as it is unknown: deletes nothing
 */
export async function removeExpiredLists(
  outbox: Pick<Outbox, 'refresh' | 'entries' | 'readStored' | 'settle'>,
  now: number | null,
): Promise<void> {
  if (now === null || !(await outbox.refresh())) return
  const needed = neededLists(outbox.entries())
  const expired = (await outbox.readStored()).filter(({ key, value }) => !needed.has(key) && isExpired(value, now))
  if (expired.length > 0) await outbox.settle(removal(expired.map(({ key }) => key)), [])
}
