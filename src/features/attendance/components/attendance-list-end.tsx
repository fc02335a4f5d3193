import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { ApiError } from '#lib/api-error.ts'
import { useOnline } from '#lib/online.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { IconFileDownload } from '#ui/icons.ts'
import { ActionLink, Text } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import type { StoredAttendanceList } from '../outbox/list-rows.ts'
import { setCompleted } from '../store.ts'
import { usePresentCount } from '../use-present-count.ts'
import classes from './gym.module.css'

type Props = {
  list: StoredAttendanceList
  dateId: number
  userId: number
  /** id of the sentence that states the progress of the list */
  id: string
  /** why the attendance is locked; replaces the status text */
  locked: string | undefined
  isToday: boolean
  isAllPresent: boolean
  setAllPresent: () => void
  setRestAbsent: () => void
  /** whether there is an action to undo; a function, because this component rerenders before its parent after a tap */
  isUndoable: () => boolean
  undo: () => void
}

/** Progress and bulk actions at the end of the list. Updates together with the count, before the rows. */
export function AttendanceListEnd(props: Props) {
  const { t } = useTranslation('attendance')
  const { present, unrecorded, all } = usePresentCount(props.list, props.dateId, props.userId)
  const recorded = t(props.isToday ? 'recordedToday' : 'recorded', { present, all })
  return (
    <div className={classes.tools}>
      <Text id={props.id} variant="name" weight="bold" flush tabular>
        {props.locked ?? (unrecorded > 0 ? t('unrecorded', { open: unrecorded }) : recorded)}
      </Text>
      {props.locked === undefined && (
        <>
          <Button look="quiet" isPill disabled={props.isAllPresent} onClick={props.setAllPresent}>
            {t('allPresent')}
          </Button>
          <Button look="quiet" isPill disabled={unrecorded === 0} onClick={props.setRestAbsent}>
            {t('restAbsent')}
          </Button>
          <Button look="quiet" isPill disabled={!props.isUndoable()} onClick={props.undo}>
            {t('undo')}
          </Button>
        </>
      )}
    </div>
  )
}

type CompleteButtonProps = {
  courseId: number
  isClosed: boolean
  /** sentence that states how many participants are present on the displayed date */
  summary: string
  /** number of pending changes in this course, which are sent before the attendance is closed */
  unsent: number
  look: 'signal' | 'quiet'
}

/** Closes or reopens the attendance of a course, after confirmation. */
function CompleteButton({ courseId, isClosed, summary, unsent, look }: CompleteButtonProps) {
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

/** Downloads the participant list. An empty file means that the user is not an instructor of the course. */
export function DownloadParticipantListButton({ courseId }: { courseId: number }) {
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

type CompletionProps = Omit<ComponentProps<typeof CompleteButton>, 'look'> & { isOver: boolean }

/** Button that closes or reopens the attendance. Collapsed until the last date. */
export function AttendanceCompletionButton({ isOver, ...props }: CompletionProps) {
  const { t } = useTranslation('attendance')
  const complete = <CompleteButton look={isOver && !props.isClosed ? 'signal' : 'quiet'} {...props} />
  if (isOver || props.isClosed) return complete
  return (
    <details>
      <ActionLink as="summary">
        {t('more')} <IconChevronDown size={20} />
      </ActionLink>
      {complete}
    </details>
  )
}
