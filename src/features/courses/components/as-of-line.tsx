import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatTime, fromWallClockMs } from '#lib/format.ts'
import { useOnline } from '#lib/online.ts'
import { todayOf, wallClockAt } from '#lib/portal-time.ts'
import { useCourses } from '../store.ts'
import classes from './as-of-line.module.css'

/** From when the programme is, whenever it may be old. */
export function AsOfLine() {
  const { t } = useTranslation('courses')
  const { asOf, isStale } = useCourses()
  const isOnline = useOnline(state => state.isOnline)
  if (asOf === null || (isOnline && !isStale)) return null
  const value = fromWallClockMs(wallClockAt(asOf))
  const isToday = todayOf(asOf) === todayOf(Date.now())
  return (
    <p className={classes.line}>
      <IconCloudOff size={18} aria-hidden />
      {t(isToday ? 'list.asOf' : 'list.asOfDate', { date: formatDate(value), time: formatTime(value) })}
    </p>
  )
}
