import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/courses.ts'
import { formatDate, formatMoney, formatTime } from '#lib/format.ts'
import { pickText } from '#lib/language.ts'
import { useLanguage } from '#lib/use-language.ts'
import { placeOf } from '../model.ts'
import classes from './course-facts.module.css'

function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Everything that can be said in a word or two. */
export function CourseFacts({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const location = pickText(useLanguage(), course.location, course.location2)
  const place = placeOf(course)
  const priceOf = (fee: number) => (fee === 0 ? t('card.free') : formatMoney(fee))
  return (
    <dl className={classes.facts}>
      <Fact label={t(`day.every.${course.day}`)}>
        {formatTime(course.startTime)} – {formatTime(course.endTime)}
      </Fact>
      <Fact label={t('details.period')}>
        {formatDate(course.start)} – {formatDate(course.end)}
      </Fact>
      {place && <Fact label={t('details.where')}>{place}</Fact>}
      {course.instructor && <Fact label={t('details.instructor')}>{course.instructor}</Fact>}
      <Fact label={t('details.fee')}>{priceOf(course.fee)}</Fact>
      <Fact label={t('details.externalFee')}>{priceOf(course.externalFee)}</Fact>
      {course.energyFee > 0 && <Fact label={t('details.energyFee')}>{formatMoney(course.energyFee)}</Fact>}
      {course.dates.length > 0 && <Fact label={t('details.sessions')}>{course.dates.length}</Fact>}
      {course.totalHours > 1 && (
        <Fact label={t('details.totalHours')}>
          {t('details.hours', { hours: course.totalHours.toLocaleString('de-DE') })}
        </Fact>
      )}
      {course.bookingSelection && <Fact label={t('details.selection')}>{course.bookingSelection}</Fact>}
      {course.centralTestInstitute && (
        <Fact label={t('details.institute')} isWide>
          {course.centralTestInstitute}
        </Fact>
      )}
      {location && (
        <Fact label={t('details.location')} isWide>
          {location}
        </Fact>
      )}
      {course.meetingURL && (
        <Fact label={t('details.meetingLink')} isWide>
          <a href={course.meetingURL} target="_blank" rel="noreferrer">
            {course.meetingURL}
          </a>
        </Fact>
      )}
      {course.meetingID && <Fact label={t('details.meetingId')}>{course.meetingID}</Fact>}
      {course.meetingCode && <Fact label={t('details.meetingCode')}>{course.meetingCode}</Fact>}
    </dl>
  )
}
