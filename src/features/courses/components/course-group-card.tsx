import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryKey } from '#components/category-color.ts'
import { CategoryFigure } from '#components/category-figure.tsx'
import { piece } from '#components/pieces.ts'
import { amountOf, amountText, cityAndVenueOf, formatDate, formatTime } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { availabilityOf, type ListedCourse, textsOf } from '../model.ts'
import { formatWeekdaysLong, formatWeekdaysShort } from '../weekday-model.ts'
import cards from './course-card.module.css'
import { CourseCards } from './course-cards.tsx'
import classes from './course-list.module.css'

const SMALL = piece('small', 'flush', 'cut')
const PRICE = piece('name', 'bold', 'flush', 'whole')
const TAG = piece('tag')

/** Number of times shown before the rest is collapsed. */
const SHOWN = 5

/**
 * Expanded groups by the id of their first course. Module state, so that it survives leaving and re-entering the list.
 */
const opened = new Set<number>()

type Props = { courses: readonly [ListedCourse, ...ListedCourse[]]; isLoggedIn: boolean }

/** Courses with the same name as one card: each time links to its course, and the card expands to show all of them. */
export const CourseGroupCard = memo(function CourseGroupCard({ courses, isLoggedIn }: Props) {
  const { t } = useTranslation('courses')
  const [first] = courses
  const [isOpen, setIsOpen] = useState(() => opened.has(first.id))
  const toggle = () => {
    if (isOpen) opened.delete(first.id)
    else opened.add(first.id)
    setIsOpen(!isOpen)
  }
  const { name, category, season } = textsOf(first, useLanguage())
  const prices = [...new Set(courses.map(amountOf))].sort((a, b) => a - b)
  const price = amountText(prices[0] ?? 0, key => t(`price.${key}`))
  const places = [...new Set(courses.map(cityAndVenueOf))]
  const free = courses.reduce((sum, course) => sum + Math.max(0, availabilityOf(course).free), 0)
  return (
    <>
      <article
        className={`${cards.card} ${cards.row} ${cards.fold}`}
        data-category={categoryKey(first.categoryIcon, first.courseCategoryId)}
        aria-label={t('card.fold', { name, count: courses.length })}
      >
        <p className={cards.edge} aria-hidden>
          <CategoryFigure icon={first.categoryIcon} id={first.courseCategoryId} />
          <b>{courses.length}</b>
          <span>{t('card.times', { count: courses.length }).replace(/^\d+ /, '')}</span>
        </p>
        <div className={cards.body}>
          <h3 className={cards.name}>{name}</h3>
          <p className={`${PRICE} ${cards.price}`}>{prices.length > 1 ? t('card.from', { price }) : price}</p>
          <p className={`${SMALL} ${cards.where}`}>
            {[places.slice(0, 2).join(' · '), places.length > 2 && '…'].filter(Boolean).join(' · ')}
          </p>
          <p className={`${SMALL} ${cards.teaser}`}>
            {[t('card.free', { count: free }), formatDate(first.start), category, season].join(' · ')}
          </p>
          <div className={cards.bottom}>
            <ul className={piece('strip', 'over')}>
              <li>
                <button type="button" className={TAG} aria-expanded={isOpen} onClick={toggle}>
                  {isOpen ? t('card.fewer') : t('card.all', { count: courses.length })}
                </button>
              </li>
              {courses.slice(0, SHOWN).map(course => (
                <li key={course.id}>
                  <Link
                    href={`/course-details/${course.id}`}
                    className={TAG}
                    aria-label={`${name}: ${formatWeekdaysLong(course.weekdays, t, 'long')} ${formatTime(course.startTime)}`}
                  >
                    {formatWeekdaysShort(course.weekdays, t)} {formatTime(course.startTime)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        </div>
      </article>
      {isOpen && <CourseCards courses={courses} isLoggedIn={isLoggedIn} className={classes.opened} />}
    </>
  )
})
