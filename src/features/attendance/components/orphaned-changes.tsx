import { useTranslation } from 'react-i18next'
import { formatDate } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { showError } from '#lib/toast.ts'
import { Notice } from '#ui/layout.tsx'
import { attendanceSyncStateOf, findOrphanedAttendanceChanges } from '../model.ts'
import type { StoredAttendanceList } from '../outbox/list-rows.ts'
import { markOfEntry, needsDecision } from '../outbox/records.ts'
import { outbox, useBatchedOutboxView } from '../store.ts'
import { RejectedChange } from './rejected-change.tsx'

/**
 * Unsent changes whose participant or list is no longer on this device, because the booking was cancelled or the list
 * has expired.
 */
export function OrphanedChanges({ courseId, list }: { courseId: number; list: StoredAttendanceList | undefined }) {
  const { t } = useTranslation('attendance')
  const userId = useSession(state => state.session?.webUserId ?? 0)
  const view = useBatchedOutboxView()
  const strays = findOrphanedAttendanceChanges(list, courseId, view.entries, userId)
  if (strays.length === 0) return null
  const named = new Map([
    ...(list?.former?.people ?? []).map(({ id, name }) => [id, name] as const),
    ...(list?.courseDates ?? []).flatMap(({ participants }) => participants.map(({ id, name }) => [id, name] as const)),
  ])
  const dates = [...(list?.courseDates ?? []), ...(list?.former?.dates ?? [])]
  return (
    <Notice as="section" aria-label={t('strays.title')}>
      <h2>{t('strays.title')}</h2>
      <p>{t(list ? 'strays.text' : 'strays.noList')}</p>
      <ul>
        {strays.map(tick => {
          const date = dates.find(({ id }) => id === tick.courseDateId)?.date
          const on = date ? formatDate(date) : `${t('date.label')} ${tick.courseDateId}`
          const name =
            tick.kind === 'guest'
              ? t('strays.guest', { name: tick.name, date: on })
              : t('strays.person', {
                  name: named.get(tick.webUserId) ?? t('strays.nameless', { id: tick.webUserId }),
                  date: on,
                  value: t(`row.${markOfEntry(tick)}`),
                })
          return (
            <li key={tick.changeId}>
              <b>{name}</b> {t(`state.${attendanceSyncStateOf(tick, view)}`)}
              {needsDecision(tick) && (
                <RejectedChange
                  name={name}
                  reason={tick.lastError}
                  markAtServer={null}
                  onDecide={decision =>
                    outbox[decision](tick).catch(error => showError(error.message || t('notStored')))
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
