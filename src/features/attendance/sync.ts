import type { StoreApi } from 'zustand'
import { useSession } from '#features/session/store.ts'
import { showTickBadge } from '#lib/app-badge.ts'
import { serverNow } from '#lib/clock.ts'
import { useOnline } from '#lib/online.ts'
import { readSessionToken } from '#lib/session-token.ts'
import { isUnsent } from './outbox/records.ts'
import type { Person } from './outbox/world.ts'
import { type Attendance, attendance } from './store.ts'

type SessionState = Pick<ReturnType<typeof useSession.getState>, 'phase' | 'session'>
type Sessions = Pick<StoreApi<SessionState>, 'getState' | 'subscribe'>

const personOf = ({ session }: SessionState): Person | null =>
  session?.isInstructor ? { userId: session.webUserId, token: session.id, isKept: session.keepSession } : null

async function followPerson(of: Attendance, sessions: Sessions, person: Person | null): Promise<void> {
  const { lists, loadInstructorCourses, outbox } = of
  await outbox.setPerson(person)
  // Sealed lists of a session that the portal could not be asked about wait for its answer.
  if (!person && sessions.getState().phase === 'none' && readSessionToken()) return lists.dropExpired()
  await lists.setPerson(person)
  // Lists that could not be had now are asked for again when they are opened.
  if (person) await Promise.all([outbox.flush(), loadInstructorCourses().catch(() => undefined)])
}

const STALE_MS = 10 * 60 * 1000

/** Back on the screen, or the portal answers again: send, and bring what is on the phone up to date. */
function catchUp({ loadInstructorCourses, outbox, useAttendance }: Attendance, sessions: Sessions): void {
  outbox.flush()
  const { session } = sessions.getState()
  if (session?.isInstructor && Math.abs(serverNow() - useAttendance.getState().coursesFetchedAt) > STALE_MS) {
    // As before: what is kept shows, and says how old it is.
    loadInstructorCourses().catch(() => undefined)
  }
}

/**
 * Starts the outbox: what an earlier page left is sent, and again whenever there is reason to hope.
 * @param of the attendance of this device @param sessions who is logged in
 */
export async function startAttendance(of: Attendance = attendance, sessions: Sessions = useSession): Promise<void> {
  const { device, lists, outbox, showAttendance, steps } = of
  // A disk that does not answer now is asked again at the next start.
  const dropExpired = () => lists.dropExpired().catch(() => undefined)
  showAttendance()
  device.onMessage(message => {
    // The disk does not answer: this page goes on with what it has.
    if (message === 'lists') lists.recall().catch(() => undefined)
    outbox.refresh()
  })
  let isPersistenceAsked = false
  steps.subscribe(({ view: { entries, shelf } }) => {
    showTickBadge(entries.filter(({ state }) => state !== 'confirmed').length + shelf.length)
    // With something unsent: the browser may not clear this phone's data when space runs short.
    if (isPersistenceAsked || entries.length === 0) return
    isPersistenceAsked = true
    // Refused: the notice about unsent ticks stays all the same.
    navigator.storage?.persist?.().catch(() => undefined)
  })
  dropExpired()
  // A database left open would be frozen with the page.
  window.addEventListener('pagehide', outbox.release)
  window.addEventListener('pagehide', device.sessions.pause)
  window.addEventListener('pageshow', async ({ persisted }) => {
    if (persisted) {
      device.sessions.resume()
      await outbox.refresh()
    }
    outbox.flush()
  })
  window.addEventListener('focus', () => outbox.flush())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') {
      // Nobody knows whether this page goes on.
      if (outbox.entries().entries.some(isUnsent)) device.askWorker()
      return
    }
    dropExpired()
    catchUp(of, sessions)
  })
  // Any call that got through is a reason to hope for the others.
  useOnline.subscribe(({ isOnline }) => isOnline && catchUp(of, sessions))
  let followed: string | undefined
  const follow = (state: SessionState) => {
    const person = personOf(state)
    const name = person ? `${person.userId} ${person.token}` : state.phase
    if (state.phase === 'checking' || followed === name) return
    followed = name
    // Each part of it tries again by itself.
    followPerson(of, sessions, person).catch(() => undefined)
  }
  sessions.subscribe(follow)
  follow(sessions.getState())
  await outbox.refresh()
}
