import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Row } from '../model.ts'
import classes from './attendance-row.module.css'
import { RefusedTick } from './refused-tick.tsx'

type Props = Row & {
  dates: number
  isLocked: boolean
  onSet: (webUserId: number, isPresent: boolean) => void
  onDecide: (webUserId: number, decision: 'discard' | 'sendAgain') => void
}

/** One person: name, sessions so far, where the tick stands, and the tick itself. */
export const AttendanceRow = memo(function AttendanceRow(row: Props) {
  const { t } = useTranslation('attendance')
  const { webUserId, name, state, isPresent, isLocked, onSet } = row
  const isRefused = state === 'refused' || state === 'overtaken'
  const value = t(isPresent ? 'row.yes' : 'row.no')
  return (
    <li className={classes.row} data-state={state}>
      <i className={classes.dot} aria-hidden />
      <div className={classes.person}>
        <span className={classes.name}>{name}</span>
        <span className={classes.facts}>
          <span className={classes.sessions}>{t('row.sessions', { count: row.participation, dates: row.dates })}</span>
          {state !== 'open' && <span className={classes.state}>{t(`state.${state}`)}</span>}
        </span>
      </div>
      <button
        type="button"
        className={classes.tick}
        data-present={isPresent || undefined}
        aria-label={t('row.label', { name, value })}
        disabled={isLocked || isRefused}
        onClick={() => onSet(webUserId, !isPresent)}
      >
        {value}
      </button>
      {isRefused && (
        <RefusedTick
          name={name}
          reason={row.reason}
          isPresentAtServer={row.isPresentAtServer}
          onDecide={decision => row.onDecide(webUserId, decision)}
        />
      )}
    </li>
  )
})
