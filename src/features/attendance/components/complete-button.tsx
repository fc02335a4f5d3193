import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { setCompleted } from '../store.ts'

type Props = {
  courseId: number
  isClosed: boolean
  /** sentence that states how many participants are present on the displayed date */
  summary: string
  /** number of pending changes in this course, which are sent before the attendance is closed */
  unsent: number
  look: 'signal' | 'quiet'
}

/** Closes or reopens the attendance of a course, after confirmation. */
export function CompleteButton({ courseId, isClosed, summary, unsent, look }: Props) {
  const { t } = useTranslation('attendance')
  const [isAsking, setIsAsking] = useState(false)
  const close = [t('question.close', { summary }), unsent > 0 && t('question.unsent', { count: unsent })]
  const text = isClosed ? t('question.reopen') : close.filter(Boolean).join(' ')
  return (
    <>
      <Button look={look} onClick={() => setIsAsking(true)}>
        {t(isClosed ? 'reopen' : 'close')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t(isClosed ? 'reopen' : 'close')}
          text={text}
          confirmLabel={t(isClosed ? 'question.doReopen' : 'question.doClose')}
          cancelLabel={t('question.cancel')}
          onCancel={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            setCompleted(courseId, !isClosed).catch(error => showError(error.message || t('notStored')))
          }}
        />
      )}
    </>
  )
}
