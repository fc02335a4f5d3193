import type { CourseDate, CourseDates } from '#contract/attendance.ts'
import type { Course } from '#contract/courses.ts'
import type { Sealed, Sealer } from '#lib/encrypted-storage.ts'
import {
  listKey,
  namesExpireAt,
  neededLists,
  openRow,
  removal,
  removeExpiredLists,
  type StoredList,
  sessionOf,
  withFormer,
} from './list-rows.ts'
import type { OpenSessions } from './open-sessions.ts'
import type { Outbox } from './outbox.ts'
import type { Person, Platform } from './platform.ts'
import { createQueue } from './queue.ts'
import { entryKey, type OutboxEntry, tickOf } from './records.ts'

/** What an instructor has on the phone: the own courses and the lists of those that run. Times as `fetchedAt`. */
export type StoredLists = { courses: Course[] | null; coursesFetchedAt: number; lists: Record<number, StoredList> }

const NO_LISTS: StoredLists = { courses: null, coursesFetchedAt: 0, lists: {} }

const coursesKey = (userId: number) => `${userId}/courses`

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

const RECALL_AGAIN_MS = 6_000
const CALM_MS = 1_500
/** What the portal has taken is written once it is calm, after so long at the latest. */
const TOGETHER = { pauseMs: 1_000, mostMs: 4_000 }
const ARRIVAL_MS = 10_000

export type ListsWorld = Pick<Platform, 'now' | 'clockOffsetMs' | 'verifiedServerNow' | 'tell' | 'after'> & {
  fetchList(courseId: number): Promise<CourseDates>
  fetchCourses(): Promise<Course[]>
  createSealer(person: Person): Promise<Sealer | null>
  sessions: Pick<OpenSessions, 'enter' | 'list'>
}

export type Lists = ReturnType<typeof createLists>

/** The lists with names: in memory as long as the page, on the disk sealed, and both no longer than they may. */
export function createLists(world: ListsWorld, outbox: Outbox) {
  const serverNow = () => world.now() + world.clockOffsetMs()
  const listeners = new Set<(shown: StoredLists) => void>()
  let shown: StoredLists = NO_LISTS
  let person: Person | null = null
  let sealer: Sealer | null = null
  /** Grows with every question and every confirmation: which came first is never asked of a clock. */
  let revision = 0
  const shownRevision = new Map<number, number>()
  /** confirmed entries by changeId, with their revision: a list that was asked for earlier may lack them */
  const confirmed = new Map<string, { entry: OutboxEntry; revision: number }>()

  function show(changes: Partial<StoredLists>): void {
    shown = { ...shown, ...changes }
    for (const listener of listeners) listener(shown)
  }
  const showList = (list: StoredList) => show({ lists: { ...shown.lists, [list.courseId]: list } })

  async function sealed(key: string, value: unknown, expiresAt: number | null): Promise<Record<string, Sealed>> {
    return sealer ? { [key]: await sealer.seal(key, value, expiresAt) } : {}
  }
  const sealedList = (userId: number, list: StoredList) =>
    sealed(listKey(userId, list.courseId), list, namesExpireAt(list))

  let isRecalled = false
  /** this person's rows were read once */
  let hasRead = false
  /** courses whose newest list is in memory only: what the disk has of them is older */
  const unwritten = new Set<number>()

  /** Lists change one after another, each change with its write. */
  const enqueue = createQueue()

  /** Without a disk the lists last as long as the page. */
  async function write(changes: Record<string, Sealed>, settled: OutboxEntry[], courseIds: number[]): Promise<void> {
    const isWritten = await outbox.settle(changes, settled).then(
      () => true,
      // What is not on the disk is noted, and written with the next change.
      () => false,
    )
    for (const courseId of courseIds) isWritten ? unwritten.delete(courseId) : unwritten.add(courseId)
  }

  /** What the server has taken goes into the lists at once. */
  async function layConfirmed(): Promise<void> {
    if (!isRecalled) return
    const { entries } = outbox.entries()
    const news = entries.filter(({ state }) => state === 'confirmed' || state === 'overtaken')
    for (const entry of news) {
      if (confirmed.has(entry.changeId)) continue
      revision += 1
      confirmed.set(entry.changeId, { entry, revision })
      const list = shown.lists[entry.courseId]
      if (!list || entry.userId !== person?.userId) continue
      showList(layOver(list, entry))
      unwritten.add(entry.courseId)
    }
    if (news.length > 0) writeTogether()
  }
  let stopPause = () => {}
  let stopLatest: (() => void) | undefined
  function writeTogether(): void {
    const writeNow = () => {
      stopPause()
      stopLatest?.()
      stopLatest = undefined
      return enqueue(writeLaid)
    }
    stopPause()
    stopPause = world.after(TOGETHER.pauseMs, writeNow)
    stopLatest ??= world.after(TOGETHER.mostMs, writeNow)
  }
  /** To seal a long list takes a phone longer than a tick: once for all that came together. Until then the outbox has them. */
  async function writeLaid(): Promise<void> {
    const isLaid = ({ state, changeId }: OutboxEntry) => state === 'confirmed' && confirmed.has(changeId)
    const settled = outbox.entries().entries.filter(isLaid)
    const courseIds = [...unwritten]
    if (settled.length + courseIds.length === 0) return
    const rows = courseIds.map(courseId => {
      const list = shown.lists[courseId]
      return list && person ? sealedList(person.userId, list) : {}
    })
    const changes = Object.assign({}, ...(await Promise.all(rows)))
    await write(changes, settled, courseIds)
    world.tell('lists')
  }
  const toRefresh = new Set<number>()
  let stopRefresh = () => {}
  /** Asks for lists anew once it is calm. */
  function refreshSoon(of: readonly OutboxEntry[]): void {
    if (of.length === 0) return
    for (const { courseId } of of) toRefresh.add(courseId)
    stopRefresh()
    stopRefresh = world.after(CALM_MS, async () => {
      const courseIds = [...toRefresh]
      toRefresh.clear()
      // Asked for again when it is opened.
      for (const courseId of courseIds) await load(courseId).catch(() => undefined)
    })
  }
  /** what this page has seen in the outbox, by the place of the entry */
  const seen = new Map<string, OutboxEntry>()
  /** courses of which another page has settled something: a list that was asked for earlier may lack it */
  const settledElsewhere = new Map<number, number>()
  /** What goes without its answer was settled by another page, or given up there: the portal knows what stands. */
  function followOthers(entries: OutboxEntry[]): void {
    const here = new Map(entries.map(entry => [entryKey(entry), entry]))
    const gone = [...seen].flatMap(([key, entry]) => (here.has(key) || confirmed.has(entry.changeId) ? [] : [entry]))
    seen.clear()
    for (const [key, entry] of here) seen.set(key, entry)
    if (gone.length > 0) revision += 1
    for (const { courseId } of gone) settledElsewhere.set(courseId, revision)
    refreshSoon(gone.filter(({ courseId }) => shown.lists[courseId]))
  }
  const refused = new Set<string>()
  outbox.subscribe(({ entries }) => {
    followOthers(entries)
    const isNews = entries.some(
      ({ state, changeId }) => state === 'confirmed' || (state === 'overtaken' && !confirmed.has(changeId)),
    )
    if (isNews) enqueue(layConfirmed)
    // Lists of which the server has just refused something: the person decides with its value in sight.
    const fresh = entries.filter(({ state, changeId }) => state === 'refused' && !refused.has(changeId))
    for (const { changeId } of fresh) refused.add(changeId)
    refreshSoon(fresh)
  })

  const awaited: ((arrived: Person) => void)[] = []
  /** A screen may ask as soon as its session is there, a moment before that is known here. @throws when nobody comes */
  const arrival = () =>
    new Promise<Person>((resolve, reject) => {
      awaited.push(resolve)
      world.after(ARRIVAL_MS, () => reject(new Error('no session')))
    })

  /** Shows what the disk has for this person. Everything else is removed from it, but what another tab's session sealed. */
  async function recall(): Promise<void> {
    const owner = person
    const rows = await outbox.readStored()
    const gone = new Set<string>()
    const open = await world.sessions.list()
    const isOfAnotherTab = (value: unknown) => {
      const sessionId = sessionOf(value)
      return sessionId !== null && sessionId !== sealer?.sessionId && open.has(sessionId)
    }
    const found: StoredLists = { ...NO_LISTS, lists: {} }
    const resealed: Record<string, Sealed> = {}
    const mine = rows.filter(({ value }) => !isOfAnotherTab(value))
    for (const row of mine) {
      const isPlain = sessionOf(row.value) === null
      const opened = owner && row.key.startsWith(`${owner.userId}/`) ? await openRow(row, sealer) : null
      if (owner && opened?.kind === 'list') {
        const { list } = opened
        // Read late, it lacks what was confirmed while the disk did not answer.
        const since = hasRead ? [] : [...confirmed.values()].filter(({ entry }) => entry.courseId === list.courseId)
        const of = since.reduce((before, { entry }) => layOver(before, entry), list)
        if (!unwritten.has(of.courseId)) found.lists[of.courseId] = of
        if (since.length > 0 || isPlain) Object.assign(resealed, await sealedList(owner.userId, of))
      } else if (opened?.kind === 'courses') {
        found.courses = opened.kept.courses as Course[]
        found.coursesFetchedAt = opened.kept.fetchedAt
        if (isPlain) Object.assign(resealed, await sealed(row.key, opened.kept, null))
      } else gone.add(row.key)
    }
    if (person?.userId !== owner?.userId) return
    hasRead = true
    const plainRemains = sealer ? [...gone] : [...gone, ...mine.map(({ key }) => key)]
    if (plainRemains.length > 0 || Object.keys(resealed).length > 0) {
      // The next start removes and seals it.
      await outbox.settle({ ...removal(plainRemains), ...resealed }, []).catch(() => undefined)
    }
    show({ ...(shown.courses ? {} : found), lists: { ...shown.lists, ...found.lists } })
  }

  /** A disk that did not answer in time may do so later: without a network the list has no other way onto the screen. */
  function recallLater(): void {
    const owner = person
    world.after(RECALL_AGAIN_MS, () => {
      if (person === owner) enqueue(recall).catch(recallLater)
    })
  }

  /** Fetches a course's list for the phone. @throws ApiError, NoAnswerError */
  async function load(courseId: number): Promise<void> {
    const owner = person ?? (await arrival())
    revision += 1
    const asked = revision
    const answer = await world.fetchList(courseId)
    if ((settledElsewhere.get(courseId) ?? 0) > asked) return await load(courseId)
    settledElsewhere.delete(courseId)
    if (answer.state !== 'Ok') throw new Error(answer.message)
    const fetchedAt = serverNow()
    const fetched = { ...answer, fetchedAt }
    await enqueue(async () => {
      if (person?.userId !== owner.userId || (shownRevision.get(courseId) ?? 0) > asked) return
      shownRevision.set(courseId, asked)
      // What the server confirmed meanwhile may be missing in its answer.
      const since = [...confirmed.values()].filter(of => of.revision > asked && of.entry.courseId === courseId)
      const laid = since.reduce<StoredList>((before, { entry }) => layOver(before, entry), fetched)
      const ticks = outbox.entries().entries.filter(of => of.userId === owner.userId && of.courseId === courseId)
      const list = withFormer(laid, shown.lists[courseId], ticks)
      showList(list)
      await write(await sealedList(owner.userId, list), [], [courseId])
    })
    world.tell('lists')
  }

  /** Deletes expired lists from page and device, once the server time is verified. */
  async function dropExpired(): Promise<void> {
    const now = world.verifiedServerNow()
    if (now === null) return
    await removeExpiredLists(outbox, now)
    const needed = neededLists(outbox.entries())
    const isNeeded = ({ courseId }: StoredList) => person !== null && needed.has(listKey(person.userId, courseId))
    const current = Object.values(shown.lists)
    const remaining = current.filter(list => namesExpireAt(list) > now || isNeeded(list))
    if (remaining.length === current.length) return
    show({ lists: Object.fromEntries(remaining.map(list => [list.courseId, list])) })
  }

  return {
    current: () => shown,
    subscribe: (listener: (shown: StoredLists) => void) => listeners.add(listener),
    /** Whose lists are shown. Without a person everything with names leaves page and phone; ticks never do. */
    async setPerson(next: Person | null): Promise<void> {
      if (person?.userId !== next?.userId || !next) {
        show(NO_LISTS)
        shownRevision.clear()
        unwritten.clear()
      }
      person = next
      if (next) for (const tell of awaited.splice(0)) tell(next)
      isRecalled = false
      hasRead = false
      await enqueue(async () => {
        // A browser that cannot seal keeps nothing.
        sealer = next && (await world.createSealer(next).catch(() => null))
        await world.sessions.enter(sealer?.sessionId ?? null)
        await recall().catch(recallLater)
        isRecalled = true
        await layConfirmed()
      })
    },
    /** Follows another page's newer lists. Without a person there is nothing to follow, and nothing to clear away either. */
    recall: () => enqueue(async () => (person ? recall() : undefined)),
    load,
    /** Fetches the instructor's courses. @throws ApiError, NoAnswerError */
    async loadCourses(): Promise<Course[]> {
      const owner = person ?? (await arrival())
      const fetchedAt = serverNow()
      const courses = await world.fetchCourses()
      if (person?.userId !== owner.userId) return []
      show({ courses, coursesFetchedAt: fetchedAt })
      const row = await sealed(coursesKey(owner.userId), { courses, fetchedAt }, null)
      // Without a disk the courses last as long as the page.
      await outbox.settle(row, []).catch(() => undefined)
      // Repeated with the next fetch.
      await dropExpired().catch(() => undefined)
      return courses
    },
    dropExpired,
  }
}
