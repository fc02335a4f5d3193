import type { StoreApi } from 'zustand'
import { useSession } from '#features/session/store.ts'
import { showUnsyncedBadge } from '#lib/app-badge.ts'
import { onClockCorrected, serverNow } from '#lib/clock.ts'
import { useOnline } from '#lib/online.ts'
import { readSessionToken } from '#lib/session-token.ts'
import type { OutboxUser } from './outbox/platform.ts'
import { countUnconfirmed, isUnsent } from './outbox/records.ts'
import { type Attendance, attendance } from './store.ts'

type SessionState = Pick<ReturnType<typeof useSession.getState>, 'phase' | 'session'>
type Sessions = Pick<StoreApi<SessionState>, 'getState' | 'subscribe'>

const personOf = ({ session }: SessionState): OutboxUser | null =>
  session?.isInstructor ? { userId: session.webUserId, token: session.id, isKept: session.keepSession } : null

async function followPerson(of: Attendance, sessions: Sessions, person: OutboxUser | null): Promise<void> {
  const { lists, loadInstructorCourses, outbox } = of
  await outbox.setPerson(person)
  // Until the session is verified, the encrypted lists stay on the device; only expired ones are deleted.
  if (!person && sessions.getState().phase === 'none' && readSessionToken()) return lists.dropExpired()
  await lists.setPerson(person)
  // Lists that cannot be fetched now are fetched when they are opened.
  if (person) await Promise.all([outbox.flush(), loadInstructorCourses().catch(() => undefined)])
}

const STALE_MS = 10 * 60 * 1000

/** Sends the outbox and refreshes the lists. Called when the page becomes visible or the device is online again. */
function catchUp({ loadInstructorCourses, outbox, useAttendance }: Attendance, sessions: Sessions): void {
  outbox.flush()
  const { session } = sessions.getState()
  if (session?.isInstructor && Math.abs(serverNow() - useAttendance.getState().coursesFetchedAt) > STALE_MS) {
    // The stored data remains visible, along with its age.
    loadInstructorCourses().catch(() => undefined)
  }
}

/**
 * Starts synchronizing attendance: sends entries that earlier pages left unsent, and retries on connectivity events.
 * @param of instance of the attendance feature
 * @param sessions the session store
 */
export async function startAttendanceSync(of: Attendance = attendance, sessions: Sessions = useSession): Promise<void> {
  const { device, lists, outbox, showAttendance, steps } = of
  // A failed deletion of expired lists is retried at the next start.
  const dropExpired = () => lists.dropExpired().catch(() => undefined)
  showAttendance()
  device.onMessage(message => {
    // If the storage does not respond, the page continues with the data in memory.
    if (message === 'lists') lists.recall().catch(() => undefined)
    outbox.refresh()
  })
  let isPersistenceAsked = false
  steps.subscribe(({ view }) => {
    showUnsyncedBadge(countUnconfirmed(view))
    // As soon as there is unsent data, request persistent storage, so that the browser does not evict it.
    if (isPersistenceAsked || view.entries.length === 0) return
    isPersistenceAsked = true
    // If the browser denies persistent storage, the notice about unsent changes remains.
    navigator.storage?.persist?.().catch(() => undefined)
  })
  // Expired lists are deleted only once the first response has verified the server time.
  onClockCorrected(dropExpired)
  // An open database connection would be frozen with the page.
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
      // The page may never resume, so the service worker is asked to send.
      if (outbox.entries().entries.some(isUnsent)) device.askWorker()
      return
    }
    dropExpired()
    catchUp(of, sessions)
  })
  // Any successful request shows that the device is online.
  useOnline.subscribe(({ isOnline }) => isOnline && catchUp(of, sessions))
  let followed: string | undefined
  const follow = (state: SessionState) => {
    const person = personOf(state)
    const name = person ? `${person.userId} ${person.token}` : state.phase
    if (state.phase === 'checking' || followed === name) return
    followed = name
    // The outbox and the lists each retry on their own.
    followPerson(of, sessions, person).catch(() => undefined)
  }
  sessions.subscribe(follow)
  follow(sessions.getState())
  await outbox.refresh()
}
