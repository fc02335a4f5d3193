import { IconCheck, IconMinus } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mark } from '#contract/attendance.ts'
import type { Row } from '../model.ts'
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

/** An empty ring is nobody's word yet. */
const SIGNS: Record<Mark, React.ReactNode> = {
  none: null,
  present: <IconCheck size={26} stroke={3} aria-hidden />,
  absent: <IconMinus size={26} stroke={3} aria-hidden />,
}

/** One person, the whole row a switch: name, sessions so far, where the tick stands, and the tick itself. */
export const AttendanceRow = memo(function AttendanceRow(row: Props) {
  const { t } = useTranslation('attendance')
  const { webUserId, name, state, mark, isLocked, onSet } = row
  const isRefused = state === 'refused' || state === 'overtaken'
  return (
    <li className={classes.row} data-state={state}>
      <button
        type="button"
        role="switch"
        className={classes.tick}
        aria-checked={mark === 'present'}
        aria-label={t('row.label', { name, value: t(`row.${mark}`) })}
        aria-describedby={isLocked ? row.lockedBy : undefined}
        disabled={isLocked || isRefused}
        onClick={() => onSet(webUserId, mark === 'present' ? 'absent' : 'present', mark)}
      >
        <span className={classes.person}>
          <span>{name}</span>
          <span className={classes.facts}>
            <span>{t('row.sessions', { count: row.participation, dates: row.dates })}</span>
            <span className={classes.state}>{t(`state.${state}`)}</span>
          </span>
        </span>
        <span className={classes.ring}>{SIGNS[mark]}</span>
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
