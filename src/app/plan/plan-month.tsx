import '@mantine/dates/styles.layer.css'
import { Calendar, DatesProvider } from '@mantine/dates'
import 'dayjs/locale/de'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fromLocalTimeMs, toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { MantineRoot } from '#ui/mantine-provider.tsx'
import { styles } from '#ui/styles.ts'
import { LessonRows } from './lesson-rows.tsx'
import { type PlanLesson, planDaysWithin } from './plan-model.ts'

const dayOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10)
const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`)
const nextMonth = (monthMs: number) => {
  const { year, month } = fromLocalTimeMs(monthMs)
  return Date.UTC(year, month, 1)
}

/** Month calendar that marks days with lessons. Below it are the lessons of the month or of the selected day. */
export function PlanMonth({ plan, todayMs }: { plan: readonly PlanLesson[]; todayMs: number }) {
  const { t } = useTranslation(['plan', 'courses'])
  const language = useLanguage()
  const [month, setMonth] = useState(`${dayOf(todayMs).slice(0, 7)}-01`)
  const [chosen, setChosen] = useState<string | null>(null)
  const days = planDaysWithin(plan, midnight(month), nextMonth(midnight(month)))
  const counts = new Map(days.map(({ day, lessons }) => [dayOf(toLocalTimeMs(day)), lessons.length]))
  const shown = days.filter(({ day }) => chosen === null || dayOf(toLocalTimeMs(day)) === chosen)
  return (
    <MantineRoot>
      <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
        <Calendar
          date={month}
          onDateChange={next => {
            setMonth(`${next.slice(0, 7)}-01`)
            setChosen(null)
          }}
          maxLevel="month"
          hideOutsideDates
          highlightToday
          size="md"
          ariaLabels={{ previousMonth: t('previous'), nextMonth: t('next') }}
          classNames={{ day: styles({ base: 'calendarDay' }), calendarHeaderLevel: styles({ size: 'l' }) }}
          getDayProps={date => {
            const count = counts.get(date)
            return count ? { selected: true, onClick: () => setChosen(date === chosen ? null : date) } : {}
          }}
          getDayAriaLabel={date => {
            const day = fromLocalTimeMs(midnight(date))
            // The visible number comes first so that users of voice control can say it to select the day (WCAG 2.5.3).
            const said = `${day.day} ${t(`courses:day.long.${weekdayOf(day)}`)}`
            const count = counts.get(date)
            return count ? `${said}, ${t('lessons', { count })}` : said
          }}
        />
      </DatesProvider>
      {chosen && (
        <Button look="text" onClick={() => setChosen(null)}>
          {t('wholeMonth')}
        </Button>
      )}
      {days.length === 0 && (
        <Text tone="muted" flush>
          {t('nothingMonth')}
        </Text>
      )}
      {shown.map(day => (
        <LessonRows key={toLocalTimeMs(day.day)} {...day} todayMs={todayMs} />
      ))}
    </MantineRoot>
  )
}
