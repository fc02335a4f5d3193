import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseDate } from '#contract/attendance.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { weekdayOf } from '#lib/format.ts'
import { sayDay } from '#lib/relative-day.ts'
import { useLanguage } from '#lib/use-language.ts'
import classes from './date-choice.module.css'

type Props = {
  dates: CourseDate[]
  dateId: number
  /** by date, with commas between: how many changes are unsent or refused, to be seen from the other dates */
  open: string
  /** midnight of today on the portal's wall clock */
  today: number
  onChoose: (courseDateId: number) => void
}

/** The dates of a course: one chosen, its neighbours a tap away. Rendered again only when something in it changes. */
export const DateChoice = memo(function DateChoice({ dates, dateId, open, today, onChoose }: Props) {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const openOn = open.split(',').map(Number)
  const index = dates.findIndex(({ id }) => id === dateId)
  const step = (by: number, label: string, icon: React.ReactNode) => {
    const date = dates[index + by]
    return (
      <button
        type="button"
        className={classes.step}
        aria-label={label}
        disabled={!date}
        onClick={() => date && onChoose(date.id)}
      >
        {icon}
      </button>
    )
  }
  return (
    <div className={classes.dates}>
      {step(-1, t('date.previous'), <IconChevronLeft aria-hidden />)}
      <select
        className={classes.select}
        aria-label={t('date.label')}
        value={dateId}
        onChange={event => onChoose(Number(event.currentTarget.value))}
      >
        {dates.map(({ id, date }, at) => (
          <option key={id} value={id}>
            {t(`weekday.${weekdayOf(date)}`)} {formatDayMonth(date)}, {formatTime(date)} ·{' '}
            {sayDay(date, today, language)}
            {openOn[at] ? ` · ${t('date.open', { count: openOn[at] })}` : ''}
          </option>
        ))}
      </select>
      {step(1, t('date.next'), <IconChevronRight aria-hidden />)}
    </div>
  )
})
