import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { monthNameFormatter, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { usePrinting } from '#lib/use-printing.ts'
import { Button } from '#ui/button.tsx'
import { Card, Text } from '#ui/layout.tsx'
import { type CourseDay, courseMonthsOf } from '../date-model.ts'
import classes from './course-dates.module.css'

/** Number of months that are shown initially. */
const SHOWN = 3

function Day({ day: { date, state, time, isDayNamed } }: { day: CourseDay }) {
  const { t } = useTranslation('courses')
  const name = (
    <>
      {isDayNamed && `${t(`day.short.${weekdayOf(date)}`)} `}
      {date.day}
      {time && <small> {time}</small>}
    </>
  )
  if (state === 'off') {
    return (
      <>
        <s>{name}</s> <span className="visually-hidden">{t('details.noLesson')}</span>
      </>
    )
  }
  if (state === 'today') {
    return (
      <Text as="b" tone="signal">
        {name} {t('details.today')}
      </Text>
    )
  }
  const isPast = state === 'past'
  return (
    <Text as="span" tone={isPast ? 'muted' : undefined} weight={isPast ? undefined : 'semibold'}>
      {name}
    </Text>
  )
}

/** The dates of a course, one line per month. In long courses, past and later months are collapsed. */
export function CourseDates({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const isPrinting = usePrinting()
  const months = courseMonthsOf(course, useToday())
  const isWhole = isOpen || isPrinting
  const next = Math.max(
    0,
    months.findIndex(({ days }) => days.some(({ state }) => state === 'today' || state === 'ahead')),
  )
  const from = Math.min(next, Math.max(0, months.length - SHOWN))
  const short = monthNameFormatter(language, 'short')
  const long = monthNameFormatter(language, 'long')
  return (
    <Card>
      <Text as="h2" variant="heading">
        {t('details.dates', { count: course.dates.length })}
      </Text>
      <ul className={classes.months}>
        {(isWhole ? months : months.slice(from, from + SHOWN)).map(({ year, month, days }) => (
          <li key={`${year} ${month}`}>
            <b>
              <span aria-hidden>{short(year, month)}</span>
              <span className="visually-hidden">
                {long(year, month)} {year}:
              </span>
            </b>
            <ol>
              {days.map(day => (
                <li key={day.date.day + (day.time ?? '') + day.state}>
                  <Day day={day} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
      {months.length > SHOWN && !isPrinting && (
        <Button look="text" aria-expanded={isWhole} onClick={() => setIsOpen(!isOpen)}>
          {t(isWhole ? 'details.lessDates' : 'details.moreDates')}
        </Button>
      )}
    </Card>
  )
}
