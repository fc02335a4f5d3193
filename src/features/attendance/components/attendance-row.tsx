import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Row } from '../model.ts'
import classes from './attendance-row.module.css'

type Props = {
  row: Row
  dates: number
  isLocked: boolean
  onSet: (webUserId: number, isPresent: boolean) => void
  onSendAgain: (webUserId: number) => void
  onDiscard: (webUserId: number) => void
}

/** One person: name, sessions so far, where the tick stands, and the tick itself. */
export const AttendanceRow = memo(function AttendanceRow({
  row,
  dates,
  isLocked,
  onSet,
  onSendAgain,
  onDiscard,
}: Props) {
  const { t } = useTranslation('attendance')
  const isRefused = row.state === 'refused'
  return (
    <li className={classes.row} data-state={row.state}>
      <div className={classes.person}>
        <span className={classes.name}>{row.name}</span>
        <span className={classes.sessions}>{t('row.sessions', { count: row.participation, dates })}</span>
        <span className={classes.state}>{t(`state.${row.state}`)}</span>
      </div>
      <button
        type="button"
        className={classes.tick}
        aria-pressed={row.isPresent}
        aria-label={t('row.present', { name: row.name })}
        disabled={isLocked || isRefused}
        onClick={() => onSet(row.webUserId, !row.isPresent)}
      >
        {row.isPresent ? t('row.yes') : t('row.no')}
      </button>
      {isRefused && (
        <div className={classes.decision}>
          <p>
            {row.reason} {t(row.isPresentAtServer ? 'refused.serverPresent' : 'refused.serverAbsent')}
          </p>
          <button type="button" onClick={() => onDiscard(row.webUserId)}>
            {t('refused.discard')}
          </button>
          <button type="button" onClick={() => onSendAgain(row.webUserId)}>
            {t('refused.sendAgain')}
          </button>
        </div>
      )}
    </li>
  )
})
