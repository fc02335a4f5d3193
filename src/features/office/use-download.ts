import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'

/** Saves requested files one at a time; a request while another one is pending is ignored. */
export function useDownload() {
  const { t } = useTranslation('office')
  const [isPending, setIsPending] = useState(false)
  const download = async (request: () => Promise<File>) => {
    if (isPending) return
    setIsPending(true)
    try {
      const file = await withProgress(request())
      saveFile(file, file.name)
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    } finally {
      setIsPending(false)
    }
  }
  return { isPending, download }
}
