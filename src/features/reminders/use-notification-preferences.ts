import { useTranslation } from 'react-i18next'
import type { Reminders } from '#contract/endpoints/reminders.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showError } from '#lib/toast.ts'

/** The user's notification preferences. Changes are saved immediately and reverted if saving fails. */
export function useNotificationPreferences() {
  const { t } = useTranslation('reminders')
  const { data: reminders, change, error, reload } = useResource('getReminders', {})
  const save = async (before: Reminders, wanted: Reminders) => {
    change(() => wanted)
    try {
      await withProgress(api.changeReminders({ body: wanted }))
    } catch (failure) {
      change(() => before)
      showError(errorMessageOf(failure, t('noAnswer')))
    }
  }
  return { reminders, save, error, reload }
}
