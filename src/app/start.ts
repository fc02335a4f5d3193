import i18next from 'i18next'
import { lazyBookingActions } from '#features/bookings/components/lazy-booking-actions.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useBookings } from '#features/bookings/store.ts'
import { watchWonPlaces } from '#features/bookings/won-places-sync.ts'
import { useContent } from '#features/content/resource.ts'
import { addFetchedCourses, loadProgramme, useCourseTexts, useFetchedCourses } from '#features/courses/resource.ts'
import { startUnreadBadge } from '#features/inbox/sync.ts'
import { useSession } from '#features/session/store.ts'
import { usePortalConfig } from '#features/system/resource.ts'
import { onForbidden, onSessionLost } from '#lib/api-error.ts'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import { watchOnline } from '#lib/online.ts'
import { setDataOwner, startResources } from '#lib/resource.ts'
import { deleteSnapshots, type SnapshotOwner } from '#lib/screen-snapshots.ts'
import { showError } from '#lib/toast.ts'
import { startAttendanceOutbox } from './attendance.ts'

/** If caches are blocked, there is nothing to delete. */
const dropOthersViews = (staying?: SnapshotOwner) => deleteSnapshots(staying).catch(() => undefined)

/** A deletion that fails is retried on the next start. */
const dropPictures = () =>
  // Without Cache Storage, no files are cached, so there is nothing to delete.
  retryUntilLoaded(() => import('#lib/cached-files.ts')).then(({ deleteOwnPictures }) =>
    deleteOwnPictures().catch(() => undefined),
  )

/** Loads personal data at login and deletes it at logout. */
function followSession(shown: Promise<void>): void {
  const tidyUp = async () => {
    await shown
    const { session } = useSession.getState()
    // Deletes other users' snapshots, so that the next start shows only those of the last user.
    void dropOthersViews(session ? 'person' : 'nobody')
    // Pictures that could not be deleted are deleted on the next start.
    if (!session) void dropPictures()
  }
  useSession.subscribe(({ phase, session }, before) => {
    if (phase === 'checking') return
    const isOther = session?.webUserId !== before.session?.webUserId
    if (isOther) {
      useFetchedCourses.setState({ byId: new Map() })
      useBookings.getState().forget()
    }
    if (before.phase === 'checking') void tidyUp()
    else if (isOther) {
      void dropOthersViews()
      if (!session) void dropPictures()
      // Preloads the booking actions for users who log in to book.
      else void retryUntilLoaded(lazyBookingActions.preload)
    }
    void retryUntilLoaded(() => import('#features/courses/search/search-sync.ts')).then(m =>
      m.persistRecentSearches(session?.webUserId ?? null),
    )
    setDataOwner(session)
  })
}

/**
 * Loads the data of all screens and validates the stored session. Does not delay the first screen: cached data is shown
 * immediately and then revalidated.
 * @param shown resolves when the first screen is rendered
 */
export async function startApp(shown: Promise<void>): Promise<void> {
  onSessionLost(() => showError(i18next.t('shell:sessionLost')))
  onForbidden(() => {
    // Users who must set a new password see a message on the page instead.
    if (!useSession.getState().session?.isPasswordToChange) showError(i18next.t('shell:forbidden'))
  })
  watchOnline()
  startUnreadBadge()
  startResources()
  followSession(shown)
  // Adds booked courses to the course cache because they are complete, including dates and online meetings.
  useBookedCourses.subscribe(({ data }, before) => data !== before.data && addFetchedCourses(data))
  watchWonPlaces()
  startAttendanceOutbox(shown)
  const programme = loadProgramme()
  await Promise.all([
    usePortalConfig.load(),
    useSession.getState().check(),
    programme,
    useContent.load(),
    programme.then(useCourseTexts.load),
  ])
}
