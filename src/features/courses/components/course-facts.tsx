import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { DETAIL_FIELDS } from '#contract/tables/course-details.ts'
import {
  formatDate,
  formatDayMonth,
  formatMoney,
  formatTime,
  isHeldOnline,
  priceLines,
  shortLocation,
  textInLanguage,
} from '#contract/words.ts'
import { formatWeekdaysLong } from '#features/courses/search/weekday-model.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { Columns, TapTarget, Text } from '#ui/layout.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { feeWaiverOfferOf } from '../attendance-model.ts'
import { lessonProgressOf } from '../date-model.ts'
import { availabilityOf, isCourseOver, labelledTexts } from '../model.ts'
import { useIsRefundable } from '../resource.ts'
import { useSitePlan } from '../use-site.ts'
import classes from './course-facts.module.css'

/** URL of the venue on a public map, which is opened only when the user asks for it. */
export const mapUrlOf = ({ venue, city }: Course) =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent([venue.split(',')[0], city].filter(Boolean).join(', '))}`

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="visually-hidden">{label}</dt>
    <dd>{children}</dd>
  </div>
)

function When({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const progress = lessonProgressOf(course, useToday())
  const { start, end, dates } = course
  const isOneDay = formatDate(start) === formatDate(end)
  return (
    <>
      <Text as="b" capitalized>
        {formatWeekdaysLong(course.weekdays, t, 'every')} {formatTime(course.startTime)} – {formatTime(course.endTime)}
      </Text>
      <small>
        {progress
          ? t('details.running', {
              date: formatDayMonth(start),
              end: formatDate(end),
              past: progress.past,
              all: progress.all,
            })
          : [
              isOneDay ? formatDate(start) : `${formatDayMonth(start)} – ${formatDate(end)}`,
              dates.length > 0 && t('details.dates', { count: dates.length }),
            ]
              .filter(Boolean)
              .join(' · ')}
      </small>
    </>
  )
}

function Where({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const place = shortLocation(course)
  const site = useSitePlan(course.venue)
  if (isHeldOnline(course)) return <b>{place}</b>
  return (
    <Text as="a" plain {...(site ? { href: '#way' } : { href: mapUrlOf(course), target: '_blank', rel: 'noreferrer' })}>
      <Text as="b" block>
        {place}
      </Text>
      <small>{t('details.map')}</small>
    </Text>
  )
}

/** The price for this user in one sentence. Its components and conditions are shown on request. */
function Price({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { amount, parts, external, attendance, onceVerified } = priceLines(course, (key, values) =>
    t(`price.${key}`, values),
  )
  const offer = feeWaiverOfferOf(course, useLocalTimeMs())
  const isRefundable = useIsRefundable(course)
  const waiver = offer
    ? t(course.price?.energyFee ? 'price.partWaived' : 'price.allWaived', { ...offer, fee: formatMoney(offer.fee) })
    : attendance
  const more = [parts, offer && attendance].filter(Boolean)
  const sentence = (
    <>
      <b>{amount}</b>
      <span>
        {waiver && ` – ${waiver}`}
        {external && external !== amount && ` · ${t('price.external', { price: external })}`}
      </span>
    </>
  )
  return (
    <>
      {more.length === 0 ? (
        <span>{sentence}</span>
      ) : (
        <details>
          <TapTarget as="summary">
            <Text as="span" grow>
              {sentence}
            </Text>
            <IconChevronDown size={20} />
          </TapTarget>
          {more.map(line => (
            <p key={line}>{line}</p>
          ))}
        </details>
      )}
      {onceVerified && <small>{onceVerified}</small>}
      {isRefundable && <small>{t('price.refundable', { insurer: branding.healthInsurer })}</small>}
    </>
  )
}

/**
 * The most important course data for deciding whether to book: time, venue, instructor, seats and price. Fits on a
 * small phone's screen.
 */
export function CourseFacts({ course, hasPlaces }: { course: Course; hasPlaces: boolean }) {
  const { t } = useTranslation('courses')
  return (
    <dl className={classes.facts}>
      <Fact label={t('details.period')}>
        <When course={course} />
      </Fact>
      <Fact label={t('price.label')}>
        <Price course={course} />
      </Fact>
      {shortLocation(course) && (
        <Fact label={t('details.where')}>
          <Where course={course} />
        </Fact>
      )}
      {course.instructor && (
        <Fact label={t('details.instructor')}>
          <Link className={styles({ plain: true })} href={`/instructor#${encodeURIComponent(course.instructor)}`}>
            <Text as="b" block>
              {course.instructor}
            </Text>
            <small>{t('details.profile')}</small>
          </Link>
        </Fact>
      )}
      {hasPlaces && (
        <Fact label={t('places.label')}>
          <Availability course={course} />
        </Fact>
      )}
    </dl>
  )
}

/** Further course data, which matters only after the decision to book. */
export function SecondaryFacts({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const { location, location2, totalHours } = course
  const isOver = isCourseOver(course, useToday())
  const facts: [label: string, value: ReactNode][] = [
    [t('details.status'), !isOver && !course.cancelled && t(course.confirmed ? 'card.confirmed' : 'card.notConfirmed')],
    [t('details.location'), textInLanguage(language, location, location2)],
    [t('details.totalHours'), totalHours > 1 && t('details.hours', { hours: totalHours.toLocaleString('de-DE') })],
    ...labelledTexts(course, DETAIL_FIELDS, language),
    [
      t('details.meetingLink'),
      course.meetingURL && (
        <TapTarget href={course.meetingURL} target="_blank" rel="noreferrer">
          {course.meetingURL}
        </TapTarget>
      ),
    ],
    [t('details.meetingId'), course.meetingID],
    [t('details.meetingCode'), course.meetingCode],
  ]
  const given = facts.filter(([, value]) => value)
  if (given.length === 0) return null
  return (
    <Columns as="dl">
      {given.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Columns>
  )
}

const LOOKS = {
  enough: styles({ tone: 'good' }),
  few: styles({ tone: 'signal' }),
  one: styles({ tone: 'signal' }),
  full: styles({ tone: 'ink' }),
}
const TEXTS = { enough: 'enoughOf', few: 'fewOf', one: 'one', full: 'full' }
/** Maximum number of seats drawn as figures; more could not be told apart. */
const DRAWN = 40
const WIDTH = 14

/** SVG path of a person's outline (head and shoulders) in a cell of 14 × 20 units. */
const person = (at: number) =>
  `M${at * WIDTH + 4} 6a3 3 0 1 0 6 0a3 3 0 1 0-6 0M${at * WIDTH + 2} 18v-2a5 5 0 0 1 10 0v2z`
const people = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => person(from + index)).join('')

/** The number of free seats in words, and a drawing with one figure per seat. Booked seats are filled in. */
function Availability({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { kind, free } = availabilityOf(course)
  const { participants } = course
  const booked = participants - Math.max(0, free)
  return (
    <>
      <b className={LOOKS[kind]}>{t(`places.${TEXTS[kind]}`, { count: free, all: participants })}</b>
      {kind === 'full' && course.currentWaiting > 0 ? (
        <small>{t('places.waiting', { count: course.currentWaiting })}</small>
      ) : (
        participants > 0 &&
        participants <= DRAWN && (
          <svg
            className={classes.people}
            viewBox={`0 0 ${participants * WIDTH} 20`}
            role="progressbar"
            aria-valuemin={0}
            aria-valuenow={booked}
            aria-valuemax={participants}
            aria-label={t(`places.${kind}`, { count: free })}
          >
            <path d={people(0, booked)} fill="currentColor" stroke="currentColor" strokeWidth="1.4" />
            <path d={people(booked, participants)} fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        )
      )}
    </>
  )
}
