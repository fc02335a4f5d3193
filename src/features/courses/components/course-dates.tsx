import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { lazyPart } from '#components/lazy-screen.tsx'
import { piece } from '#components/pieces.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { usePrinting } from '#features/courses/use-printing.ts'
import { wallClockMs, weekdayOf } from '#lib/format.ts'
import { useToday } from '#lib/use-now.ts'

const SHOWN = 4

const { screen: CourseCalendar } = lazyPart(() => import('./course-calendar.tsx').then(m => m.CourseCalendar))

type Props = { dates: readonly DateTimeValue[]; startTime: DateTimeValue }

/** Course dates; the next ones are visible, the others collapsed. */
export function CourseDates({ dates, startTime }: Props) {
  const { t } = useTranslation('courses')
  const [isOpen, setIsOpen] = useState(false)
  const isPrinting = usePrinting()
  const isWhole = isOpen || isPrinting
  const todayMs = useToday()
  const next = Math.max(
    0,
    dates.findIndex(date => wallClockMs(date) >= todayMs),
  )
  const from = Math.min(next, Math.max(0, dates.length - SHOWN))
  const shown = isWhole ? dates : dates.slice(from, from + SHOWN)
  const usual = formatTime(startTime)
  return (
    <section className={piece('box')}>
      <h2>{t('details.dates', { count: dates.length })}</h2>
      <ul className={piece('row', 'close', 'padded')}>
        {shown.map(date => (
          <li
            key={wallClockMs(date)}
            className={piece('tag', 'large', 'steady', wallClockMs(date) < todayMs ? 'muted' : 'ink')}
          >
            {t(`day.short.${weekdayOf(date)}`)} {formatDate(date)}
            {formatTime(date) !== usual && formatTime(date) !== '00:00' && <b> {formatTime(date)}</b>}
          </li>
        ))}
      </ul>
      {isOpen && <CourseCalendar dates={dates} />}
      {dates.length > SHOWN && !isPrinting && (
        <Button look="text" aria-expanded={isWhole} onClick={() => setIsOpen(!isOpen)}>
          {t(isWhole ? 'details.lessDates' : 'details.moreDates')}
        </Button>
      )}
    </section>
  )
}
