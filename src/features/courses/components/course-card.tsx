import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ButtonLink } from '#components/button.tsx'
import { categoryKey } from '#components/category-color.ts'
import { CategoryFigure } from '#components/category-figure.tsx'
import { piece } from '#components/pieces.ts'
import { CARD_FIELDS } from '#contract/course.ts'
import type { Course } from '#contract/courses.ts'
import { cityAndVenueOf, formatDate, formatDayMonth, formatTime, plainText, priceLines } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { waiverStateOf } from '../attendance-model.ts'
import { isOver, type ListedCourse, labelledTexts, textsOf } from '../model.ts'
import { formatWeekdaysLong, formatWeekdaysShort } from '../weekday-model.ts'
import classes from './course-card.module.css'
import { CourseMeeting } from './course-meeting.tsx'
import { type CardMode, CourseStatus } from './course-status.tsx'

/** Computed once for all cards. */
const PRICE = piece('name', 'bold', 'flush', 'whole')
export const SMALL = piece('small', 'flush', 'cut')
const COVER = piece('plain', 'cover')
const ABOVE = piece('plain', 'over', 'whole')
const NUMBER = piece('small', 'whole')

type CardCourse = ListedCourse & Partial<Pick<Course, 'dates' | 'changes' | 'meetingURL' | 'meetingID' | 'meetingCode'>>

type Props = {
  course: CardCourse
  mode: CardMode
  isLoggedIn: boolean
  /** additional buttons after the card's own */
  children?: ReactNode
}

/** Weekday and time are at the edge of the card because users choose by them. */
function CardTime({ course }: { course: ListedCourse }) {
  const { t } = useTranslation('courses')
  const { weekdays, startTime, endTime, courseCategoryId, categoryIcon } = course
  const [from, to] = [formatTime(startTime), formatTime(endTime)]
  return (
    <p className={classes.edge}>
      <CategoryFigure icon={categoryIcon} id={courseCategoryId} />
      <span className="visually-hidden">
        {t('card.when', { day: formatWeekdaysLong(weekdays, t, 'long'), from, to })}
      </span>
      <span aria-hidden>{formatWeekdaysShort(weekdays, t)}</span>
      <b aria-hidden>{from}</b>
      <span aria-hidden>–{to}</span>
    </p>
  )
}

/** Course in a list: time, name, place, price and availability. On wide screens it is a table row. */
export const CourseCard = memo(function CourseCard({ course, mode, isLoggedIn, children }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const { name, teaser, category, season } = textsOf(course, language)
  const { id, number, courseCategoryId, categoryIcon, instructor } = course
  const { amount, parts, external, attendance, onceVerified } = priceLines(course, (key, values) =>
    t(`price.${key}`, values),
  )
  const isPast = isOver(course, useToday())
  const isBookable = mode !== 'instructor' && isLoggedIn && course.bookable && course.seasonBookable
  // With two status labels there is no space for the dates.
  const begins = mode === 'list' && !course.seasonBookable && t('card.begins', { date: formatDayMonth(course.start) })
  const details = t(isBookable ? 'card.detailAndBook' : 'card.details')
  return (
    <article
      className={`${classes.card} ${mode === 'list' ? classes.row : classes.asked}`}
      data-category={categoryKey(categoryIcon, courseCategoryId)}
      data-over={isPast || course.cancelled || undefined}
    >
      <CardTime course={course} />
      <div className={classes.body}>
        <h3 className={classes.name}>
          <Link href={`/course-details/${id}`} className={COVER}>
            {name}
          </Link>{' '}
          <small className={NUMBER}>{number}</small>
        </h3>
        <p className={`${PRICE} ${classes.price}`}>{amount}</p>
        <p className={`${SMALL} ${classes.where}`}>
          {[begins, cityAndVenueOf(course), instructor].filter(Boolean).join(' · ')}
        </p>
        <p className={`${SMALL} ${classes.teaser}`}>
          {[
            t('card.period', { from: formatDate(course.start), to: formatDate(course.end) }),
            ...[
              parts,
              waiverStateOf(course) === null && attendance,
              onceVerified,
              category,
              season,
              plainText(teaser),
            ].filter(Boolean),
            ...labelledTexts(course, CARD_FIELDS, language).map(parts => parts.join(': ')),
          ].join(' · ')}
        </p>
        <CourseMeeting course={course} t={t} />
        <div className={classes.bottom}>
          <CourseStatus course={course} mode={mode} t={t} />
          {external && external !== amount && (
            <span className={classes.external}>{t('price.external', { price: external })}</span>
          )}
          {/* The course name is a link already; a second tab stop is redundant. */}
          <Link
            href={`/course-details/${id}`}
            className={`${ABOVE} ${classes.action}`}
            tabIndex={-1}
            aria-label={`${details}: ${name}`}
          >
            {details} <span aria-hidden>›</span>
          </Link>
          {children}
        </div>
        {mode === 'instructor' && (
          <ButtonLink look="primary" href={`/course-participation/${id}`} className={piece('over', 'spaced')}>
            {t('card.recordParticipation')}
          </ButtonLink>
        )}
      </div>
    </article>
  )
})
