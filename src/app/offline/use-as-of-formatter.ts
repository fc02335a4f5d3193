import { useTranslation } from 'react-i18next'
import { formatDate, formatTime } from '#contract/words.ts'
import { fromLocalTimeMs, localTimeMsAt } from '#lib/format.ts'

/**
 * Returns a formatter for timestamps in ms since 1970, which shows date and time ("as of …") in the portal's time zone.
 */
export function useAsOfFormatter(): (atMs: number) => string {
  const { t } = useTranslation('shell')
  return atMs => {
    const value = fromLocalTimeMs(localTimeMsAt(atMs))
    return t('asOfDate', { date: formatDate(value), time: formatTime(value) })
  }
}
