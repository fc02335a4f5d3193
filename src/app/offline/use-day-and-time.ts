import { useTranslation } from 'react-i18next'
import { formatDate, formatTime } from '#contract/words.ts'
import { fromWallClockMs, wallClockAt } from '#lib/format.ts'

/** Formats a timestamp (ms since 1970) as "as of" date and time in the portal's time zone. */
export function useDayAndTime(): (atMs: number) => string {
  const { t } = useTranslation('shell')
  return atMs => {
    const value = fromWallClockMs(wallClockAt(atMs))
    return t('asOfDate', { date: formatDate(value), time: formatTime(value) })
  }
}
