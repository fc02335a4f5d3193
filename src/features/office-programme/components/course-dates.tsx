import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Box, Row, Text } from '#ui/layout.tsx'
import { formatShortDay, weekdayOf } from '../model.ts'
import { type LessonSeries, useFreeRoomsAndInstructors } from './place-pickers.tsx'

type Props = {
  course: LessonSeries
  /** days chosen individually; undefined: all days that result from the weekday and the first and last day */
  dates: readonly string[] | undefined
  change(fields: { dates: string[] | undefined }): void
}

/** Calendar for excluding or adding individual days of a new weekly course. Holidays are excluded initially. */
export function CourseDates({ course, dates, change }: Props) {
  const { t } = useTranslation('office-programme')
  const { data } = useFreeRoomsAndInstructors(course, null)
  if (!data || data.dates.length + data.holidays.length < 2) return null
  const all = [...data.dates.map(date => ({ date, name: '' })), ...data.holidays].sort((a, b) =>
    a.date.localeCompare(b.date),
  )
  const chosen = dates ?? data.dates
  const toggle = (date: string) => {
    const next = chosen.includes(date) ? chosen.filter(one => one !== date) : [...chosen, date].sort()
    if (next.length > 0) change({ dates: next.join() === data.dates.join() ? undefined : next })
  }
  return (
    <Box as="fieldset" bare>
      <Text as="legend" variant="name">
        {t('dates.title', { count: chosen.length })}
      </Text>
      <Text size="s" flush>
        {t('dates.hint')}
      </Text>
      <Row gap="s">
        {all.map(({ date, name }) => {
          const isIn = chosen.includes(date)
          return (
            <Button key={date} look="quiet" isPill aria-pressed={isIn} onClick={() => toggle(date)}>
              {`${t(`day.${weekdayOf(date)}`)} ${formatShortDay(date)} ${name}`.trim()} {isIn ? '×' : '+'}
            </Button>
          )
        })}
      </Row>
    </Box>
  )
}
