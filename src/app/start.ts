import i18next from 'i18next'
import { startAttendance } from '#features/attendance/sync.ts'
import { useBookings } from '#features/bookings/store.ts'
import { useContent } from '#features/content/store.ts'
import { useCourses } from '#features/courses/store.ts'
import { useGallery } from '#features/gallery/store.ts'
import { startInbox } from '#features/inbox/sync.ts'
import { useSession } from '#features/session/store.ts'
import { useConfig } from '#features/system/store.ts'
import { onForbidden, onSessionLost } from '#lib/call.ts'
import { useOnline } from '#lib/online.ts'
import { showError } from '#lib/toast.ts'

/** What shows is old while the portal cannot be reached: it is fetched again as soon as it can. */
function refreshWhenBack(): void {
  useOnline.subscribe(({ isOnline }, before) => {
    if (!isOnline || before.isOnline) return
    for (const { isStale, refresh } of [useCourses.getState(), useContent.getState(), useGallery.getState()])
      if (isStale) refresh()
    const { isStale, load } = useBookings.getState()
    if (isStale) load()
  })
}

/**
 * Loads what every screen needs, and judges the stored session. Nothing here holds up the first screen: what the device has
 * kept shows at once, what the server answers takes its place.
 */
export async function startApp(): Promise<void> {
  onSessionLost(() => showError(i18next.t('shell:sessionLost')))
  onForbidden(() => {
    // Who has to choose a password first is told so by the page.
    if (!useSession.getState().session?.isPasswordToChange) showError(i18next.t('shell:forbidden'))
  })
  useGallery.getState().start()
  startInbox()
  refreshWhenBack()
  await Promise.all([
    // Without an answer the usual addresses serve on.
    useConfig
      .getState()
      .start()
      .catch(() => undefined),
    useSession.getState().check(),
    useCourses.getState().start(),
    useContent.getState().start(),
    startAttendance(),
  ])
}
