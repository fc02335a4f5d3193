import { useTranslation } from 'react-i18next'
import { formatDate, formatTime } from '#contract/words.ts'
import { fromWallClockMs } from '#lib/format.ts'
import { wallClockAt } from '#lib/portal-time.ts'

/** Words a moment (ms since 1970) as "as of" with date and time on the portal's clock. */
export function useDayAndTime(): (atMs: number) => string {
  const { t } = useTranslation('shell')
  return atMs => {
    const value = fromWallClockMs(wallClockAt(atMs))
    return t('asOfDate', { date: formatDate(value), time: formatTime(value) })
  }
}
