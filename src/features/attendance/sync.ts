import { useSession } from '#features/session/store.ts'
import { readLanguage } from '#lib/language.ts'
import { useOnline } from '#lib/online.ts'
import { sendEntry } from './api.ts'
import { backoffMs, flushOutbox } from './outbox.ts'
import { isUnsent } from './outbox-records.ts'
import {
  announce,
  dropExpiredLists,
  followOtherTabs,
  forgetKept,
  loadInstructorCourses,
  loadList,
  outbox,
  readEntries,
  recallKept,
  useAttendance,
} from './store.ts'

const { setState: set, getState: get } = useAttendance
const sessionNow = () => useSession.getState().session

let retryTimer: ReturnType<typeof setTimeout> | undefined
let running: Promise<void> | null = null
let isAskedAgain = false

async function flushOnce(): Promise<void> {
  isAskedAgain = false
  const session = sessionNow()
  if (!session?.webUserId) return
  const database = await outbox()
  const result = await flushOutbox({
    database,
    sender: { userId: session.webUserId, token: session.id, language: readLanguage() },
    send: sendEntry,
    onChange: announce,
    locks: navigator.locks,
  })
  const isLater = result.outcome === 'later'
  set(({ failures }) => ({ lastTriedAt: Date.now(), failures: isLater ? failures + 1 : 0 }))
  clearTimeout(retryTimer)
  if (isLater) {
    retryTimer = setTimeout(flush, Math.max(result.retryAfterMs ?? 0, backoffMs(get().failures, Math.random())))
    return
  }
  await database.releaseSender(result.outcome === 'login')
  refreshSettledLists()
  // What was added just when the last entry went may have been missed.
  if (isAskedAgain && result.outcome === 'done') await flushOnce()
}

/** Sends what waits; safe to call at any time and any number of times. */
export async function flush(): Promise<void> {
  const userId = sessionNow()?.webUserId
  if (!get().entries.some(entry => entry.userId === userId && isUnsent(entry))) return
  isAskedAgain = true
  running ??= flushOnce()
    // A disk that fails while sending: what waits still waits.
    .catch(() => undefined)
    .finally(() => {
      running = null
    })
  await running
}

const CALM_MS = 1_500
let refreshTimer: ReturnType<typeof setTimeout> | undefined

/** Once it is calm, fetches the lists of which the server has just confirmed or refused something. */
function refreshSettledLists(): void {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(async () => {
    const userId = sessionNow()?.webUserId
    const settled = get().entries.filter(
      ({ state, ...entry }) => entry.userId === userId && (state === 'confirmed' || state === 'refused'),
    )
    for (const courseId of new Set(settled.map(entry => entry.courseId)))
      await loadList(courseId).catch(() => undefined)
  }, CALM_MS)
}

/** The session's person changed: what had names leaves the phone at a logout, the outbox stays. */
async function followSession(userId: number, previousId: number | undefined): Promise<void> {
  clearTimeout(retryTimer)
  if (previousId) await forgetKept()
  if (userId === 0) {
    if (previousId) await (await outbox()).releaseSender(true)
    return
  }
  await recallKept().catch(() => undefined)
  await Promise.all([flush(), loadInstructorCourses().catch(() => undefined)])
}

const STALE_MS = 10 * 60 * 1000

/** Back on the screen, or the portal answers again: send, and bring what is on the phone up to date. */
function catchUp(): void {
  flush()
  const session = sessionNow()
  if (session?.isInstructor && Date.now() - get().coursesFetchedAt > STALE_MS) {
    loadInstructorCourses().catch(() => undefined)
  }
}

/** Starts the outbox: what an earlier page left is sent, and again whenever there is reason to hope. */
export async function startAttendance(): Promise<void> {
  followOtherTabs()
  await readEntries().catch(() => undefined)
  for (const event of ['pageshow', 'focus']) window.addEventListener(event, () => flush())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    dropExpiredLists().catch(() => undefined)
    catchUp()
  })
  // Any call that got through is a reason to hope for the others.
  useOnline.subscribe(({ isOnline }) => isOnline && catchUp())
  let userId: number | undefined
  const follow = ({ phase, session }: ReturnType<typeof useSession.getState>) => {
    const newUserId = session?.isInstructor ? session.webUserId : 0
    if (phase === 'checking' || userId === newUserId) return
    const previousId = userId
    userId = newUserId
    followSession(newUserId, previousId).catch(() => undefined)
  }
  useSession.subscribe(follow)
  follow(useSession.getState())
}
