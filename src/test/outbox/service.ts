import { type CourseDates, type RecordedAttendance, recordedAttendanceOf } from '#contract/endpoints/attendance.ts'
import { decideAttendanceChange } from '#server/features/attendance/rules.ts'
import { type Clock, Violation } from './clock.ts'
import { COURSE, DATES, PEOPLE } from './plan.ts'

/** Yesterday and today: a lesson of a later day takes no tick, which is a refusal like that of a closed course. */
const dayOf = (courseDateId: number) => courseDateId + 9

const fieldsOf = (mark: RecordedAttendance) => ({ isUserPresent: mark === 'present', isRecorded: mark !== 'none' })

/** The service as its contract says, with the product's own judgement. */
export class Service {
  isComplete = false
  sessions = new Map<string, number>()
  presence = new Map<string, { mark: RecordedAttendance; changedAt: number }>()
  /** what became of each change: `taken` it stood at some time, `late` something else stood */
  taken = new Map<string, 'taken' | 'late'>()
  refused = new Set<string>()
  /** the change that stands for each person and date; missing when it is a colleague's */
  standing = new Map<string, string>()
  guests = new Map<string, { courseDateId: number; name: string; arrivals: number }>()
  byUser = new Map<string, number>()
  /** the changes that were recorded for everybody at once */
  bulk = new Set<string>()
  /** the changes that undo those, each with the phone that sent it */
  undone = new Map<string, object>()
  phoneOf = new Map<string, object>()
  /** who has a place now */
  booked = new Set(PEOPLE)
  hadPlace = new Set(PEOPLE)
  private clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  login(user: number): string {
    const token = `token-${user}-${this.sessions.size}`
    this.sessions.set(token, user)
    return token
  }

  change(token: string, body: { [field: string]: unknown }): object {
    const { changeId, courseDateId, webUserId, changeState, changedAt } = body as Record<string, string>
    const id = String(changeId)
    const owner = this.byUser.get(id)
    const user = this.sessions.get(token)
    if (owner !== undefined && owner !== user) throw new Violation(`change ${id} of ${owner} was sent as ${user}`)
    const verdict = decideAttendanceChange({
      isKnown: this.taken.has(id),
      isComplete: this.isComplete,
      standing: this.standingOf(Number(webUserId)),
      heldOn: `2026-11-${dayOf(Number(courseDateId))}`,
      today: new Date(this.clock.now).toISOString().slice(0, 10),
    })
    if (verdict !== 'recorded' && verdict !== 'known') {
      this.refused.add(id)
      return { ...body, status: 'Failed', message: verdict }
    }
    const key = `${courseDateId}/${webUserId}`
    const mark = recordedAttendanceOf({ isUserPresent: changeState === 'added', isRecorded: body.isRecorded !== false })
    if (verdict === 'recorded') {
      const at = Math.min(Date.parse(String(changedAt)), this.clock.now)
      const before = this.presence.get(key)
      const isUnrecorded = (before?.mark ?? 'none') === 'none'
      const ids = body.ifChangeIds as string[] | undefined
      const isMet =
        (isUnrecorded || body.ifUnrecorded !== true) && (!ids || !before || ids.includes(this.standing.get(key) ?? ''))
      const isNewer = (!before || before.changedAt <= at) && isMet
      if (isNewer && !isUnrecorded && this.bulk.has(id))
        throw new Violation(`a change of everybody replaced ${before?.mark} of ${key}`)
      const sender = this.undone.get(id)
      if (isNewer && !isUnrecorded && sender && this.phoneOf.get(this.standing.get(key) ?? '') !== sender)
        throw new Violation(`the undo of a change of everybody replaced ${before?.mark} of ${key}`)
      if (isNewer) this.presence.set(key, { mark, changedAt: at })
      if (isNewer) this.standing.set(key, id)
      this.taken.set(id, isNewer || before?.mark === mark ? 'taken' : 'late')
    }
    const stored = this.presence.get(key)
    const standing = stored?.mark ?? mark
    // Asked again when somebody has set the same meanwhile.
    if (standing === mark) this.taken.set(id, 'taken')
    if (
      (body.ifUnrecorded === true || body.ifChangeIds) &&
      stored &&
      standing !== 'none' &&
      this.standing.get(key) !== id
    ) {
      const recorded = { isUserPresent: standing === 'present', changedAt: new Date(stored.changedAt).toISOString() }
      return { ...body, status: 'Ok', message: '', recorded }
    }
    return {
      ...body,
      status: 'Ok',
      message: '',
      ...(standing === mark ? {} : fieldsOf(standing)),
    }
  }

  /** The phone names a guest, so the same one again is no other. */
  note(body: { [field: string]: unknown }): object {
    const { guestId, courseDateId, changeState, name } = body as Record<string, string>
    const id = String(guestId)
    if (this.isComplete && !this.guests.has(id)) return { ...body, status: 'Failed', message: 'complete' }
    const arrivals = (this.guests.get(id)?.arrivals ?? 0) + 1
    this.guests.set(id, { courseDateId: Number(courseDateId), name: String(name), arrivals })
    if (changeState === 'deleted') throw new Violation('nobody took a guest back')
    return { ...body, status: 'Ok', message: '' }
  }

  private standingOf(person: number): 'inLesson' | 'outside' | 'unknown' {
    if (this.booked.has(person)) return 'inLesson'
    return this.hadPlace.has(person) ? 'outside' : 'unknown'
  }

  book(person: number, isBooked: boolean): void {
    if (!isBooked) this.booked.delete(person)
    else for (const people of [this.booked, this.hadPlace]) people.add(person)
  }

  list(): CourseDates {
    const on = (id: number) =>
      [...this.booked].map(person => ({
        id: person,
        name: `Name-${person}`,
        ...fieldsOf(this.presence.get(`${id}/${person}`)?.mark ?? 'none'),
        participation: 0,
      }))
    const guestsOn = (id: number) =>
      [...this.guests].flatMap(([guestId, { courseDateId, name }]) => (courseDateId === id ? [{ guestId, name }] : []))
    const day = (id: number) => ({ year: 2026, month: 11, day: dayOf(id), hour: 18, minute: 0, second: 0 })
    return {
      courseId: COURSE,
      participants: on(11),
      courseDates: DATES.map(id => ({ id, date: day(id), participants: on(id), guests: guestsOn(id) })),
      preSelectCourseDateId: 11,
      participatingComplete: this.isComplete,
      message: '',
      state: 'Ok',
    }
  }
}
