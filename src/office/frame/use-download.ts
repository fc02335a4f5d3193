import { useTranslation } from 'react-i18next'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'

/** Returns a function that downloads a file from the server; failures are shown as a toast. */
export function useDownload() {
  const { t } = useTranslation('office')
  return async (fetchFile: () => Promise<File>): Promise<void> => {
    try {
      const file = await withProgress(fetchFile())
      saveFile(file, file.name)
    } catch (error) {
      showError(errorMessageOf(error, t('noAnswer')))
    }
  }
}
