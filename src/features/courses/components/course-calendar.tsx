import { piece } from '#components/pieces.ts'
import '@mantine/dates/styles.layer.css'
import { DatesProvider, MonthLevel } from '@mantine/dates'
import 'dayjs/locale/de'
import { useTranslation } from 'react-i18next'
import { MantineRoot } from '#components/mantine-provider.tsx'
import type { DateTimeValue } from '#contract/values.ts'
import { readLanguage } from '#lib/settings.ts'

const isoDate = ({ year, month, day }: DateTimeValue) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** Month calendars of a course with its dates marked; the list of dates beside it is the text alternative. See docs/decisions/0077. */
export function CourseCalendar({ dates }: { dates: readonly DateTimeValue[] }) {
  const { t } = useTranslation('courses')
  const held = new Set(dates.map(isoDate))
  const months = [...new Set(dates.map(date => `${isoDate(date).slice(0, 7)}-01`))].sort()
  return (
    <MantineRoot>
      <DatesProvider settings={{ locale: readLanguage(), firstDayOfWeek: 1, weekendDays: [] }}>
        <div
          className={piece('columns', 'months', 'loose', 'centered', 'spaced')}
          role="img"
          aria-label={t('details.calendar')}
        >
          {months.map(month => (
            <div key={month} aria-hidden inert>
              <MonthLevel
                month={month}
                static
                hideOutsideDates
                withNext={false}
                withPrevious={false}
                hasNextLevel={false}
                size="xs"
                classNames={{ day: piece('muted', 'day'), calendarHeaderLevel: piece('large') }}
                getDayProps={date => (held.has(date) ? { selected: true } : {})}
              />
            </div>
          ))}
        </div>
      </DatesProvider>
    </MantineRoot>
  )
}
