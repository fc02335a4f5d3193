import i18next from 'i18next'
import { bookingActions } from '#features/bookings/components/booking-actions-door.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useBookings } from '#features/bookings/store.ts'
import { useContent } from '#features/content/resource.ts'
import { addCourses, loadProgramme, useCourseAnswers, useCourseTexts } from '#features/courses/resource.ts'
import { startInbox } from '#features/inbox/sync.ts'
import { useSession } from '#features/session/store.ts'
import { useConfig } from '#features/system/resource.ts'
import { onForbidden, onSessionLost } from '#lib/call.ts'
import { dropViews, type Whose } from '#lib/kept-views.ts'
import { insist } from '#lib/late.ts'
import { watchOnline } from '#lib/online.ts'
import { setOwner, startResources } from '#lib/resource.ts'
import { showError } from '#lib/toast.ts'
import { startAttendance } from './attendance.ts'

/** Where caches are blocked there is nothing to drop. */
const dropOthersViews = (staying?: Whose) => dropViews(staying).catch(() => undefined)

/** The next start tries again what does not go now. */
const dropPictures = () =>
  // Where there are no caches there is nothing to drop.
  insist(() => import('#lib/kept-files.ts')).then(({ dropOwnPictures }) => dropOwnPictures().catch(() => undefined))

/** What is about a person comes with their session and leaves the device with it. */
function followSession(shown: Promise<void>): void {
  const tidyUp = async () => {
    await shown
    const { session } = useSession.getState()
    // What shows first next time is of whoever was here last.
    void dropOthersViews(session ? 'person' : 'nobody')
    // Of pictures that stay the next start is rid.
    if (!session) void dropPictures()
  }
  useSession.subscribe(({ phase, session }, before) => {
    if (phase === 'checking') return
    const isOther = session?.webUserId !== before.session?.webUserId
    if (isOther) {
      useCourseAnswers.setState({ byId: new Map() })
      useBookings.getState().forget()
    }
    if (before.phase === 'checking') void tidyUp()
    else if (isOther) {
      void dropOthersViews()
      if (!session) void dropPictures()
      // On the way back to the course that somebody wants to book.
      else void insist(bookingActions.preload)
    }
    void insist(() => import('#features/courses/search-sync.ts')).then(m => m.keepSearches(session?.webUserId ?? null))
    setOwner(session)
  })
}

/**
 * Loads what every screen needs, and judges the stored session. Nothing here holds up the first screen: what the device has
 * kept shows at once, what the server answers takes its place. @param shown resolves when the app shows its first screen
 */
export async function startApp(shown: Promise<void>): Promise<void> {
  onSessionLost(() => showError(i18next.t('shell:sessionLost')))
  onForbidden(() => {
    // Who has to choose a password first is told so by the page.
    if (!useSession.getState().session?.isPasswordToChange) showError(i18next.t('shell:forbidden'))
  })
  watchOnline()
  startInbox()
  startResources()
  followSession(shown)
  // They are known whole, dates and online rooms included.
  useBookedCourses.subscribe(({ data }, before) => data !== before.data && addCourses(data))
  startAttendance(shown)
  const programme = loadProgramme()
  await Promise.all([
    useConfig.load(),
    useSession.getState().check(),
    programme,
    useContent.load(),
    programme.then(useCourseTexts.load),
  ])
}
