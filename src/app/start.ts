import i18next from 'i18next'
import { startAttendance } from '#features/attendance/sync.ts'
import { useCourses } from '#features/courses/store.ts'
import { useSession } from '#features/session/store.ts'
import { onForbidden, onSessionLost } from '#lib/api-client.ts'
import { showError } from '#lib/toast.ts'

/** Loads what every screen needs, and judges the stored session. */
export async function startApp(): Promise<void> {
  onSessionLost(() => showError(i18next.t('shell:sessionLost')))
  onForbidden(() => showError(i18next.t('shell:forbidden')))
  await Promise.all([useSession.getState().check(), useCourses.getState().start(), startAttendance()])
}
