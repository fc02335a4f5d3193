import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'
import { IconCalendarEvent, IconCoinEuro, IconMapPin, IconUser } from '#components/shell-icons.ts'
import { DETAIL_FIELDS } from '#contract/course-details.ts'
import type { Course } from '#contract/courses.ts'
import { formatDate, formatTime, isHeldOnline, pickText, priceLines, shortLocation } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { waiverStateOf } from '../attendance-model.ts'
import { labelledTexts } from '../model.ts'
import { formatWeekdaysLong } from '../weekday-model.ts'
import classes from './course-facts.module.css'

/** Map link of the venue; opened only on request. */
const mapOf = ({ venue, city }: Course) =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent([venue.split(',')[0], city].filter(Boolean).join(', '))}`

type FactProps = { label: string; icon: ReactNode; children: ReactNode }

/** One key fact, labelled by an icon. */
function Fact({ label, icon, children }: FactProps) {
  return (
    <div className={piece('tap')}>
      <dt>
        {icon}
        <span className="visually-hidden">{label}</span>
      </dt>
      <dd className={piece('row', 'grow')}>{children}</dd>
    </div>
  )
}

/** Key facts for the decision to book: time, place, instructor, price and availability. Fits a small phone's screen. */
export function CourseFacts({ course, children }: { course: Course; children?: ReactNode }) {
  const { t } = useTranslation('courses')
  const venue = shortLocation(course)
  const { amount, parts, external, attendance, onceVerified } = priceLines(course, (key, values) =>
    t(`price.${key}`, values),
  )
  const sessions = course.dates.length > 0 ? ` · ${t('details.dates', { count: course.dates.length })}` : ''
  return (
    <dl className={classes.facts}>
      <Fact label={t('details.period')} icon={<IconCalendarEvent />}>
        <b className={piece('capital')}>
          {formatWeekdaysLong(course.weekdays, t, 'every')} {formatTime(course.startTime)} –{' '}
          {formatTime(course.endTime)}
        </b>
        <small>
          {formatDate(course.start)} – {formatDate(course.end)}
          {sessions}
        </small>
      </Fact>
      {venue && (
        <Fact label={t('details.where')} icon={<IconMapPin />}>
          {isHeldOnline(course) ? (
            <b>{venue}</b>
          ) : (
            <a
              href={mapOf(course)}
              target="_blank"
              rel="noreferrer"
              className={piece('padded')}
              title={t('details.map')}
            >
              {venue}
            </a>
          )}
        </Fact>
      )}
      {course.instructor && (
        <Fact label={t('details.instructor')} icon={<IconUser />}>
          <Link className={piece('padded')} href={`/instructor#${encodeURIComponent(course.instructor)}`}>
            {course.instructor}
          </Link>
        </Fact>
      )}
      <Fact label={t('price.label')} icon={<IconCoinEuro />}>
        <b>{amount}</b>
        {external && <span>{t('price.external', { price: external })}</span>}
        {parts && <small>{parts}</small>}
        {attendance && waiverStateOf(course) === null && <small>{attendance}</small>}
        {onceVerified && <small>{onceVerified}</small>}
        {children}
      </Fact>
    </dl>
  )
}

/** Secondary facts: useful after the decision to book. */
export function MoreFacts({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const { location, location2, totalHours } = course
  const facts: [label: string, value: ReactNode][] = [
    [t('details.location'), pickText(language, location, location2)],
    [t('details.totalHours'), totalHours > 1 && t('details.hours', { hours: totalHours.toLocaleString('de-DE') })],
    ...labelledTexts(course, DETAIL_FIELDS, language),
    [
      t('details.meetingLink'),
      course.meetingURL && (
        <a className={piece('tap')} href={course.meetingURL} target="_blank" rel="noreferrer">
          {course.meetingURL}
        </a>
      ),
    ],
    [t('details.meetingId'), course.meetingID],
    [t('details.meetingCode'), course.meetingCode],
  ]
  const given = facts.filter(([, value]) => value)
  if (given.length === 0) return null
  return (
    <dl className={piece('columns')}>
      {given.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
