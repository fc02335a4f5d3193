import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { ApiError } from '#lib/api-error.ts'
import { useOnline } from '#lib/online.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { IconFileDownload } from '#ui/icons.ts'

/** Downloads the participant list. An empty file means that the user is not an instructor of the course. */
export function ParticipantListButton({ courseId }: { courseId: number }) {
  const { t } = useTranslation('attendance')
  const isOnline = useOnline(state => state.isOnline)
  const [isRunning, setIsRunning] = useState(false)
  const download = async () => {
    setIsRunning(true)
    try {
      const file = await api.getParticipantList({ params: { id: courseId } })
      if (file.size === 0) showError(t('notInstructor'))
      else saveFile(file, file.name)
    } catch (error) {
      showError(error instanceof ApiError ? error.message : t('listNeedsNetwork'))
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Button look="ghost" aria-disabled={isRunning} disabled={!isOnline} onClick={download}>
      <IconFileDownload size={22} />
      {t(isOnline ? 'downloadList' : 'downloadOffline')}
    </Button>
  )
}
