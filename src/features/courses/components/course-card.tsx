import { type MouseEvent, memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDayMonth, formatTime, priceLines } from '#contract/words.ts'
import { formatWeekdaysLong, formatWeekdaysShort } from '#features/courses/search/weekday-model.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { categoryKey } from '#ui/category-color.ts'
import { CategoryIllustration } from '#ui/category-figure.tsx'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { IconChevronDown } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { type CourseCardData, isCourseOver, type ListedCourse, localizedTextsOf } from '../model.ts'
import classes from './course-card.module.css'
import { type CourseCardMode, CourseStatus } from './course-status.tsx'

const COVER = styles({ plain: true, cover: true })

const { screen: CardMore } = lazyComponent(() => import('./course-card-details.tsx').then(m => m.CourseCardDetails))

type Props = {
  course: CourseCardData
  mode: CourseCardMode
  isLoggedIn: boolean
  /** in the table view: opens the course in a panel next to the table instead of on its own page */
  onOpen?: ((id: number) => void) | undefined
  rowIndex?: number | undefined
  /** the next lesson and schedule changes as list items, for one of the user's own courses */
  lessons?: ReactNode
  /** online meeting, attendance and actions, for one of the user's own courses */
  children?: ReactNode
}

/** Weekday and time are at the edge of the card, because users choose courses by them. */
function CardTime({ course, role }: { course: ListedCourse; role: 'cell' | undefined }) {
  const { t } = useTranslation('courses')
  const { weekdays, startTime, endTime, courseCategoryId, categoryIcon } = course
  const [from, to] = [formatTime(startTime), formatTime(endTime)]
  return (
    <p className={classes.edge} role={role}>
      <CategoryIllustration icon={categoryIcon} id={courseCategoryId} />
      <span className="visually-hidden">
        {t('card.when', { day: formatWeekdaysLong(weekdays, t, 'long'), from, to })}
      </span>
      <span aria-hidden>{formatWeekdaysShort(weekdays, t)}</span> <b aria-hidden>{from}</b>
      <span aria-hidden>–{to}</span>
    </p>
  )
}

/** The price for this user. Visitors also see the price for external participants. */
function CardPrice({ course, role }: { course: ListedCourse; role: 'cell' | undefined }) {
  const { t } = useTranslation('courses')
  const { amount, external } = priceLines(course, (key, values) => t(`price.${key}`, values))
  const isOther = course.price === null && external !== null && external !== amount
  return (
    <p className={classes.price} role={role}>
      {isOther && amount !== t('price.free') ? t('card.from', { price: amount }) : amount}
      {isOther && <small>{t('price.external', { price: external })}</small>}
    </p>
  )
}

/** Venue and city, on separate lines in the table. Shown only once if they are the same, as for online courses. */
export function CardVenue({ course: { venue, city }, role }: { course: ListedCourse; role: 'cell' | undefined }) {
  return (
    <p className={classes.where} role={role}>
      {venue || city}
      {venue && city && venue !== city && <span>{city}</span>}
    </p>
  )
}

/**
 * A course in a list. Nothing is truncated: text that does not fit wraps, and the remaining details unfold in place. In
 * a wide list, the course is a table row; see docs/decisions/0078.
 */
export const CourseCard = memo(function CourseCard({
  course,
  mode,
  isLoggedIn,
  onOpen,
  rowIndex,
  lessons,
  children,
}: Props) {
  const { t } = useTranslation('courses')
  const { name } = localizedTextsOf(course, useLanguage())
  const { id, courseCategoryId, categoryIcon, instructor, start } = course
  const [isOpen, setIsOpen] = useState(false)
  const isPast = isCourseOver(course, useToday())
  const cell = onOpen && ('cell' as const)
  const open = (event: MouseEvent) => {
    if (!onOpen) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <article
      className={mode === 'list' ? classes.card : `${classes.card} ${classes.asked}`}
      role={onOpen && 'none'}
      data-category={categoryKey(categoryIcon, courseCategoryId)}
      data-over={isPast || course.cancelled || undefined}
    >
      <div className={classes.line} {...(onOpen && { role: 'row', 'aria-rowindex': rowIndex })}>
        <CardTime course={course} role={cell} />
        <div className={classes.name} role={cell}>
          <h3>
            <Link href={`/course-details/${id}`} className={COVER} onClick={open}>
              {name}
            </Link>
          </h3>
        </div>
        <p className={classes.starts} role={cell}>
          {t(course.running ? 'card.runs' : 'card.begins', { date: formatDayMonth(start) })}
        </p>
        <CardVenue course={course} role={cell} />
        <p className={classes.who} role={cell}>
          {instructor}
        </p>
        <div className={classes.places} role={cell}>
          <CourseStatus course={course} mode={mode} lessons={lessons} t={t} />
        </div>
        {mode === 'instructor' ? null : <CardPrice course={course} role={cell} />}
        <div className={classes.own} role={onOpen && 'none'}>
          {children}
        </div>
        <button
          type="button"
          className={classes.more}
          aria-expanded={isOpen}
          aria-label={t('card.more', { name })}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChevronDown size={20} />
        </button>
      </div>
      {isOpen && <CardMore course={course} mode={mode} isLoggedIn={isLoggedIn} />}
    </article>
  )
})
