import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { countOpen } from '../model.ts'
import { useAttendance } from '../store.ts'
import { flush } from '../sync.ts'
import classes from './outbox-line.module.css'

const timeOf = (ms: number) => new Date(ms).toLocaleTimeString('de-DE', { hour: '2-digit', minute: '2-digit' })

/** How many changes are only on this phone, and when sending was tried last. */
export function OutboxLine() {
  const { t } = useTranslation('attendance')
  const userId = useSession(state => state.session?.webUserId)
  const entries = useAttendance(state => state.entries)
  const failures = useAttendance(state => state.failures)
  const lastTriedAt = useAttendance(state => state.lastTriedAt)
  const disk = useAttendance(state => state.disk)
  const { unsent, refused } = countOpen(entries, userId)
  const isStuck = failures > 0 && lastTriedAt !== null
  if (disk !== 'ok') return <p className={`${classes.line} ${classes.bad}`}>{t(`disk.${disk}`)}</p>
  if (unsent === 0) {
    return (
      <p className={`${classes.line} ${refused > 0 ? classes.bad : ''}`}>
        {refused > 0 ? t('outbox.refused', { count: refused }) : t('outbox.allConfirmed')}
      </p>
    )
  }
  return (
    <div className={`${classes.line} ${classes.unsent}`}>
      <b className={classes.number}>{unsent}</b>
      <p>
        <b>{t('outbox.onThisPhone', { count: unsent })}</b>
        <small>{isStuck ? t('outbox.noAnswer', { time: timeOf(lastTriedAt) }) : t('outbox.sending')}</small>
      </p>
      {isStuck && (
        <button type="button" onClick={() => flush()}>
          {t('outbox.sendNow')}
        </button>
      )}
    </div>
  )
}
