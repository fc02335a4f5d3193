import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/courses.ts'
import { formatDate, formatTime, pickText, sayPrice, whereOf } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { spokenDays } from '../weekday-model.ts'
import classes from './course-facts.module.css'

function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What the reader pays, all in; for a visitor what externals pay, too. */
function PriceFacts({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { amount, parts, external, attendance } = sayPrice(course, (key, values) => t(`price.${key}`, values))
  return (
    <>
      <Fact label={t('price.label')}>
        {amount}
        {parts && <small>{parts}</small>}
        {attendance && <small>{attendance}</small>}
      </Fact>
      {external && <Fact label={t('price.externalLabel')}>{external}</Fact>}
    </>
  )
}

/** Everything that can be said in a word or two. */
export function CourseFacts({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const location = pickText(useLanguage(), course.location, course.location2)
  const venue = whereOf(course)
  return (
    <dl className={classes.facts}>
      <Fact label={spokenDays(course.weekdays, t, 'every')}>
        {formatTime(course.startTime)} – {formatTime(course.endTime)}
      </Fact>
      <Fact label={t('details.period')}>
        {formatDate(course.start)} – {formatDate(course.end)}
      </Fact>
      {venue && <Fact label={t('details.where')}>{venue}</Fact>}
      {course.instructor && (
        <Fact label={t('details.instructor')}>
          <Link href={`/instructor#${encodeURIComponent(course.instructor)}`}>{course.instructor}</Link>
        </Fact>
      )}
      <PriceFacts course={course} />
      {course.dates.length > 0 && <Fact label={t('details.sessions')}>{course.dates.length}</Fact>}
      {course.totalHours > 1 && (
        <Fact label={t('details.totalHours')}>
          {t('details.hours', { hours: course.totalHours.toLocaleString('de-DE') })}
        </Fact>
      )}
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
