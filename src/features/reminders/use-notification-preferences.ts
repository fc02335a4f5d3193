import { useTranslation } from 'react-i18next'
import type { Reminders } from '#contract/endpoints/reminders.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showError } from '#lib/toast.ts'

/** The last save. The next one waits for it, because each is based on what the server has stored. */
let lastSave: Promise<void> = Promise.resolve()

/** The user's notification preferences. Changes are saved immediately and reverted if saving fails. */
export function useNotificationPreferences() {
  const { t } = useTranslation('reminders')
  const { data: reminders, change, error, reload } = useResource('getReminders', {})
  /** Applies `edit` to the current preferences: other devices and one-click unsubscriptions change them as well. */
  const save = (edit: (current: Reminders) => Reminders): Promise<void> => {
    change(current => current && edit(current))
    const send = async () => {
      const body = edit(await api.getReminders({}))
      await api.changeReminders({ body })
      if (lastSave === saving) change(() => body)
    }
    const saving = lastSave
      .then(() => withProgress(send()))
      .catch(failure => {
        change(() => reminders)
        showError(errorMessageOf(failure, t('noAnswer')))
      })
    lastSave = saving
    return saving
  }
  return { reminders, save, error, reload }
}
