import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDayMonth, formatPrice, formatTime, shortLocation, totalPriceOf } from '#contract/words.ts'
import { formatWeekdaysShort } from '#features/courses/search/weekday-model.ts'
import { useLanguage } from '#lib/use-language.ts'
import { categoryKey } from '#ui/category-color.ts'
import { CategoryIllustration } from '#ui/category-figure.tsx'
import { Row, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { availabilityOf, type ListedCourse, localizedTextsOf } from '../model.ts'
import cards from './course-card.module.css'
import { CourseCards } from './course-cards.tsx'
import classes from './course-list.module.css'

const TAG = styles({ base: 'tag' })

/** Number of times and of venues that are shown; the others are collapsed. */
const SHOWN = 5
const PLACES = 2

/**
 * Expanded groups, identified by the id of their first course. Module state, so that they stay expanded when the user
 * leaves the list and returns.
 */
const opened = new Set<number>()

type Props = {
  courses: readonly [ListedCourse, ...ListedCourse[]]
  isLoggedIn: boolean
  /** in the table view: opens a course in a panel next to the table */
  onOpen?: ((id: number) => void) | undefined
  rowIndex?: number | undefined
}

/**
 * One card for several courses that share a name. Each displayed time is a link to its course, and the card can be
 * expanded to show all of these courses.
 */
export const CourseGroupCard = memo(function CourseGroupCard({ courses, isLoggedIn, onOpen, rowIndex }: Props) {
  const { t } = useTranslation('courses')
  const [first] = courses
  const [isOpen, setIsOpen] = useState(() => opened.has(first.id))
  const toggle = () => {
    if (isOpen) opened.delete(first.id)
    else opened.add(first.id)
    setIsOpen(!isOpen)
  }
  const { name } = localizedTextsOf(first, useLanguage())
  const prices = [...new Set(courses.map(totalPriceOf))].sort((a, b) => a - b)
  const [lowest = 0] = prices
  const price = formatPrice(lowest, key => t(`price.${key}`))
  const several = lowest === 0 ? t('card.someFree') : t('card.from', { price })
  const places = [...new Set(courses.map(shortLocation))]
  const free = courses.reduce((sum, course) => sum + Math.max(0, availabilityOf(course).free), 0)
  const cell = onOpen && ('cell' as const)
  return (
    <>
      <article
        className={cards.card}
        role={onOpen && 'none'}
        data-category={categoryKey(first.categoryIcon, first.courseCategoryId)}
        aria-label={onOpen ? undefined : t('card.fold', { name, count: courses.length })}
      >
        <div className={cards.line} {...(onOpen && { role: 'row', 'aria-rowindex': rowIndex })}>
          <p className={cards.edge} role={cell}>
            <CategoryIllustration icon={first.categoryIcon} id={first.courseCategoryId} />
            <b>{courses.length}</b> <span>{t('card.times', { count: courses.length }).replace(/^\d+ /, '')}</span>
          </p>
          <div className={cards.name} role={cell}>
            <h3>{name}</h3>
            <Row as="ul" gap="xs" raised>
              <li>
                <button type="button" className={TAG} aria-expanded={isOpen} onClick={toggle}>
                  {isOpen ? t('card.fewer') : t('card.all', { count: courses.length })}
                </button>
              </li>
              {courses.slice(0, SHOWN).map(course => (
                <li key={course.id}>
                  <Link href={`/course-details/${course.id}`} className={TAG}>
                    {formatWeekdaysShort(course.weekdays, t)} {formatTime(course.startTime)}
                    <span className="visually-hidden"> {name}</span>
                  </Link>
                </li>
              ))}
            </Row>
          </div>
          <p className={cards.starts} role={cell}>
            {t('card.begins', { date: formatDayMonth(first.start) })}
          </p>
          <p className={cards.where} role={cell}>
            {places.slice(0, PLACES).join(' · ')}
            {places.length > PLACES && ` ${t('card.morePlaces', { count: places.length - PLACES })}`}
          </p>
          <p className={cards.who} role={cell} />
          <div className={cards.places} role={cell}>
            <Text tone="good" flush>
              {t('card.free', { count: free })}
            </Text>
          </div>
          <p className={cards.price} role={cell}>
            {prices.length > 1 ? several : price}
          </p>
        </div>
      </article>
      {isOpen && <CourseCards courses={courses} isLoggedIn={isLoggedIn} onOpen={onOpen} className={classes.opened} />}
    </>
  )
})
