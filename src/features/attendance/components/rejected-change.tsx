import { useTranslation } from 'react-i18next'
import type { RecordedAttendance } from '#contract/endpoints/attendance.ts'
import { Button } from '#ui/button.tsx'
import { Row, Text } from '#ui/layout.tsx'
import classes from './attendance-row.module.css'

type Props = {
  name: string
  reason: string
  /** attendance status on the server; null if it is unknown or does not apply */
  markAtServer: RecordedAttendance | null
  /** what the instructor recorded on this device */
  mark?: RecordedAttendance
  onDecide: (decision: 'discard' | 'sendAgain') => void
}

/** Shows why a change was rejected and what the server has recorded, and lets the instructor decide between the two. */
export function RejectedChange({ name, reason, markAtServer, mark, onDecide }: Props) {
  const { t } = useTranslation('attendance')
  const atServer = markAtServer === null ? '' : t(`refused.${markAtServer}`)
  const discard = markAtServer === null ? t('refused.discard') : t('refused.take', { mark: t(`row.${markAtServer}`) })
  const sendAgain =
    mark === undefined || mark === 'none' ? t('refused.sendAgain') : t('refused.record', { mark: t(`row.${mark}`) })
  return (
    <Row className={classes.decision}>
      <Text tone="bad" grow flush>
        {name}: {reason} {atServer}
      </Text>
      <Button look="ghost" aria-label={`${discard}: ${name}`} onClick={() => onDecide('discard')}>
        {discard}
      </Button>
      <Button look="ghost" aria-label={`${sendAgain}: ${name}`} onClick={() => onDecide('sendAgain')}>
        {sendAgain}
      </Button>
    </Row>
  )
}
