import { IconCalendarEvent, IconMapPin, IconUser } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ButtonLink } from '#components/button.tsx'
import { categoryKey } from '#components/category-color.ts'
import { CategoryFigure } from '#components/category-figure.tsx'
import type { Course } from '#contract/courses.ts'
import { formatDate, formatTime, plainText, whereOf } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { isOver, type ListedCourse, textsOf } from '../model.ts'
import { shortDays, spokenDays } from '../weekday-model.ts'
import classes from './course-card.module.css'
import { CourseMeeting } from './course-meeting.tsx'
import { CoursePrice } from './course-price.tsx'
import { CourseStatus } from './course-status.tsx'

export type CardMode = 'list' | 'participant' | 'instructor'
type CardCourse = ListedCourse & Partial<Pick<Course, 'dates' | 'meetingURL' | 'meetingID' | 'meetingCode'>>

type Props = {
  course: CardCourse
  mode: CardMode
  isLoggedIn: boolean
  /** more buttons behind the card's own */
  children?: ReactNode
}

/** A course in a list: weekday and time at the edge, because that is what people choose by. */
export const CourseCard = memo(function CourseCard({ course, mode, isLoggedIn, children }: Props) {
  const { t } = useTranslation('courses')
  const { name, teaser, category, season } = textsOf(course, useLanguage())
  const words = plainText(teaser)
  const { id, number, weekdays, startTime, endTime, start, end, courseCategoryId, categoryIcon, instructor } = course
  const from = formatTime(startTime)
  const to = formatTime(endTime)
  const venue = whereOf(course)
  const isPast = isOver(course, useToday())
  const isBookable = mode !== 'instructor' && isLoggedIn && course.bookable && course.seasonBookable
  return (
    <article
      className={`${classes.card} ${isPast ? classes.over : ''}`}
      data-category={categoryKey(categoryIcon, courseCategoryId)}
    >
      <p className={classes.edge}>
        <CategoryFigure icon={categoryIcon} id={courseCategoryId} className={classes.figure} />
        <span className="visually-hidden">{t('card.when', { day: spokenDays(weekdays, t, 'long'), from, to })}</span>
        <span aria-hidden className={weekdays.length > 1 ? classes.days : classes.day}>
          {shortDays(weekdays, t)}
        </span>
        <b aria-hidden>{from}</b>
        <span aria-hidden className={classes.until}>
          –{to}
        </span>
      </p>
      <div className={classes.body}>
        <p className={classes.kicker}>
          <span className={classes.category}>{category}</span>
          <span>{season}</span>
        </p>
        <h3 className={classes.name}>
          <Link href={`/course-details/${id}`}>{name}</Link> <span className={classes.number}>{number}</span>
        </h3>
        {words && <p className={classes.teaser}>{words}</p>}
        <ul className={classes.facts}>
          {venue && (
            <li>
              <IconMapPin size={18} aria-hidden />
              {venue}
            </li>
          )}
          <li>
            <IconCalendarEvent size={18} aria-hidden />
            {t('card.period', { from: formatDate(start), to: formatDate(end) })}
          </li>
          {instructor && (
            <li>
              <IconUser size={18} aria-hidden />
              {instructor}
            </li>
          )}
        </ul>
        <CourseMeeting course={course} t={t} />
        <div className={classes.bottom}>
          <CourseStatus course={course} mode={mode} t={t} />
          <CoursePrice course={course} t={t} />
          <div className={classes.actions}>
            <Link
              href={`/course-details/${id}`}
              className={`${classes.action} ${mode === 'list' && isBookable ? classes.strong : ''}`}
              aria-label={`${t(isBookable ? 'card.detailAndBook' : 'card.details')}: ${name}`}
            >
              {t(isBookable ? 'card.detailAndBook' : 'card.details')} <span aria-hidden>›</span>
            </Link>
            {children}
          </div>
        </div>
        {mode === 'instructor' && (
          <ButtonLink look="primary" href={`/course-participation/${id}`} className={classes.record}>
            {t('card.recordParticipation')}
          </ButtonLink>
        )}
      </div>
    </article>
  )
})
