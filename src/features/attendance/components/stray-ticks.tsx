import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { formatDate } from '#lib/format.ts'
import { showError } from '#lib/toast.ts'
import { type StoredList, straysOf } from '../model.ts'
import { discardEntry, sendAgain } from '../outbox-store.ts'
import { useAttendance } from '../store.ts'
import { RefusedTick } from './refused-tick.tsx'
import classes from './stray-ticks.module.css'

/** Changes whose person or list is not on this phone: someone cancelled meanwhile, or the list had to leave it. */
export function StrayTicks({ courseId, list }: { courseId: number; list: StoredList | undefined }) {
  const { t } = useTranslation('attendance')
  const userId = useSession(state => state.session?.webUserId ?? 0)
  const entries = useAttendance(state => state.entries)
  const strays = straysOf(list, courseId, entries, userId)
  if (strays.length === 0) return null
  return (
    <section className={classes.strays}>
      <h2>{t('strays.title')}</h2>
      <p>{t(list ? 'strays.text' : 'strays.noList')}</p>
      <ul>
        {strays.map(tick => {
          const date = list?.courseDates.find(({ id }) => id === tick.courseDateId)?.date
          const name = t('strays.person', {
            id: tick.webUserId,
            date: date ? formatDate(date) : `${t('date.label')} ${tick.courseDateId}`,
            value: t(tick.isPresent ? 'row.yes' : 'row.no'),
          })
          return (
            <li key={tick.changeId}>
              <b>{name}</b> {t(`state.${tick.state === 'waiting' ? 'onThisPhone' : tick.state}`)}
              {tick.state === 'refused' && (
                <RefusedTick
                  name={name}
                  reason={tick.lastError}
                  isPresentAtServer={null}
                  onDecide={decision =>
                    (decision === 'discard' ? discardEntry : sendAgain)(tick).catch(error => showError(error.message))
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
