import {
  IconAlertCircle,
  IconCheck,
  IconCircle,
  IconCloudCheck,
  IconCloudUp,
  IconDeviceMobile,
  IconMinus,
} from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mark } from '#contract/attendance.ts'
import type { Row, TickState } from '../model.ts'
import classes from './attendance-row.module.css'
import { RefusedTick } from './refused-tick.tsx'

type Props = Row & {
  dates: number
  isLocked: boolean
  /** id of the sentence that says why */
  lockedBy: string
  onSet: (webUserId: number, mark: Mark, before: Mark) => void
  onDecide: (webUserId: number, decision: 'discard' | 'sendAgain') => void
}

const ICONS: Record<Mark, React.ReactNode> = {
  none: <IconCircle size={30} aria-hidden />,
  present: <IconCheck size={24} stroke={3} aria-hidden />,
  absent: <IconMinus size={24} stroke={3} aria-hidden />,
}

/** Where a tick is, in another shape and colour than what it says. */
const PLACES: Record<TickState, typeof IconCloudUp | null> = {
  open: null,
  saving: IconDeviceMobile,
  onThisPhone: IconDeviceMobile,
  sending: IconCloudUp,
  confirmed: IconCloudCheck,
  refused: IconAlertCircle,
  unstored: IconAlertCircle,
  overtaken: IconAlertCircle,
}

/** One person: name, sessions so far, where the tick stands, and the tick itself. */
export const AttendanceRow = memo(function AttendanceRow(row: Props) {
  const { t } = useTranslation('attendance')
  const { webUserId, name, state, mark, isLocked, onSet } = row
  const isRefused = state === 'refused' || state === 'overtaken'
  const value = t(`row.${mark}`)
  const Place = PLACES[state]
  return (
    <li className={classes.row} data-state={state}>
      <span className={classes.where}>{Place && <Place size={20} aria-hidden />}</span>
      <div className={classes.person}>
        <span className={classes.name}>{name}</span>
        <span className={classes.facts}>
          <span className={classes.sessions}>{t('row.sessions', { count: row.participation, dates: row.dates })}</span>
          <span className={classes.state}>{t(`state.${state}`)}</span>
        </span>
      </div>
      <button
        type="button"
        className={classes.tick}
        data-mark={mark}
        aria-label={t('row.label', { name, value })}
        aria-describedby={isLocked ? row.lockedBy : undefined}
        disabled={isLocked || isRefused}
        onClick={() => onSet(webUserId, mark === 'present' ? 'absent' : 'present', mark)}
      >
        {ICONS[mark]}
        {mark !== 'none' && value}
      </button>
      {isRefused && (
        <RefusedTick
          name={name}
          reason={row.reason}
          markAtServer={row.markAtServer}
          onDecide={decision => row.onDecide(webUserId, decision)}
        />
      )}
    </li>
  )
})
