import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { unsentOf, useAttendance } from '../store.ts'
import { flush } from '../sync.ts'
import classes from './outbox-line.module.css'

const timeOf = (ms: number) => new Date(ms).toLocaleTimeString('de-DE', { hour: '2-digit', minute: '2-digit' })

/** How many changes are only on this phone, and when sending was tried last. */
export function OutboxLine() {
  const { t } = useTranslation('attendance')
  const userId = useSession(state => state.session?.webUserId)
  const entries = useAttendance(state => state.entries)
  const { failures, lastTriedAt } = useAttendance()
  const unsent = unsentOf(entries, userId).length
  const refused = entries.filter(entry => entry.userId === userId && entry.state === 'refused').length
  return (
    <div role="status" className={classes.line} data-unsent={unsent > 0 || undefined}>
      {unsent > 0 ? (
        <>
          <b className={classes.number}>{unsent}</b>
          <div>
            <b>{t('outbox.onThisPhone', { count: unsent })}</b>
            {failures > 0 && lastTriedAt !== null && (
              <small>{t('outbox.noAnswer', { time: timeOf(lastTriedAt) })}</small>
            )}
          </div>
          {failures > 0 && (
            <button type="button" onClick={() => flush()}>
              {t('outbox.sendNow')}
            </button>
          )}
        </>
      ) : (
        <span>{refused > 0 ? t('outbox.refused', { count: refused }) : t('outbox.allConfirmed')}</span>
      )}
    </div>
  )
}
