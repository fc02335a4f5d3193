import i18next from 'i18next'
import { useSession } from '#features/session/store.ts'
import { onSessionLost } from '#lib/api-client.ts'
import { showError } from '#lib/toast.ts'

/** Loads what every screen needs, then judges the stored session. */
export async function startApp(): Promise<void> {
  onSessionLost(() => showError(i18next.t('shell:sessionLost')))
  await useSession.getState().check()
}
