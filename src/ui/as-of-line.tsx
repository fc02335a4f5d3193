import { useTranslation } from 'react-i18next'
import { formatDate, formatTime } from '#contract/words.ts'
import { portalDateTimeAt, startOfDayAt } from '#lib/format.ts'
import { useOnline } from '#lib/online.ts'
import { useToday } from '#lib/use-now.ts'
import { Tag } from '#ui/layout.tsx'
import { IconCloudOff } from './shell-icons.ts'

/**
 * The text "as of …" for stale data; null if the data is fresh.
 * @param asOf ms since 1970; null before the first response
 * @param isStale whether the last fetch failed
 */
export function useAsOfText(asOf: number | null, isStale = false): string | null {
  const { t } = useTranslation('shell')
  const isOnline = useOnline(state => state.isOnline)
  const today = useToday()
  if (asOf === null || (isOnline && !isStale)) return null
  const value = portalDateTimeAt(asOf)
  const isToday = startOfDayAt(asOf) === today
  return t(isToday ? 'asOf' : 'asOfDate', { date: formatDate(value), time: formatTime(value) })
}

/** Paragraph with the "as of …" text and an icon. Inline, it has no icon, to save width on phones. */
export function AsOfLine({ asOf, isStale, isBeside }: { asOf: number | null; isStale?: boolean; isBeside?: boolean }) {
  const text = useAsOfText(asOf, isStale)
  if (text === null) return null
  return (
    <Tag as="p" fill="grey" flush={isBeside} my={isBeside ? undefined : 'm'}>
      {!isBeside && <IconCloudOff size={16} />} <span>{text}</span>
    </Tag>
  )
}
