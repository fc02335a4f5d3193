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
  onDecide: (decision: 'discard' | 'sendAgain') => void
}

/** Shows why a change was rejected and what the server has recorded, and lets the instructor decide between the two. */
export function RejectedChange({ name, reason, markAtServer, onDecide }: Props) {
  const { t } = useTranslation('attendance')
  const atServer = markAtServer === null ? '' : t(`refused.${markAtServer}`)
  return (
    <Row className={classes.decision}>
      <Text tone="bad" grow flush>
        {name}: {reason} {atServer}
      </Text>
      <Button look="ghost" aria-label={`${t('refused.discard')}: ${name}`} onClick={() => onDecide('discard')}>
        {t('refused.discard')}
      </Button>
      <Button look="ghost" aria-label={`${t('refused.sendAgain')}: ${name}`} onClick={() => onDecide('sendAgain')}>
        {t('refused.sendAgain')}
      </Button>
    </Row>
  )
}
