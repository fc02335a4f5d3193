import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import type { StoredAttendanceList } from '../outbox/list-rows.ts'
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
  /** evaluated during render, because a tap is recorded before the rows update */
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
