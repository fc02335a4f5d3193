import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryKey } from '#components/category-color.ts'
import { piece } from '#components/pieces.ts'
import { formatTime, nameIn, sortWeekdays } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { availabilityOf, type ListedCourse } from '../model.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import { dayPartsOf } from '../time-of-day-model.ts'
import { MAX_COURSES_PER_HOUR, weekOf } from '../week-model.ts'
import classes from './week-grid.module.css'

const WEEK = sortWeekdays([0, 1, 2, 3, 4, 5, 6])

/** The listed courses as a week grid: hours by days. Courses that do not fit into an hour's cell are one tap away. */
export function WeekGrid({ courses }: { courses: readonly ListedCourse[] }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const rows = useMemo(() => weekOf(courses), [courses])
  const narrow = (day: number, course: ListedCourse) => {
    const { criteria, replace } = useSearchCriteria.getState()
    replace({
      ...criteria,
      facets: { ...criteria.facets, days: [String(day)], parts: dayPartsOf(course).slice(0, 1) },
    })
  }
  return (
    <table className={`${piece('table')} ${classes.grid}`}>
      <caption className="visually-hidden">{t('list.week')}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('print.when')}</span>
          </th>
          {WEEK.map(day => (
            <th key={day} scope="col">
              {t(`day.short.${day}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ hour, days }) => (
          <tr key={hour}>
            <th scope="row">{hour}</th>
            {days.map((held, index) => (
              <td key={WEEK[index]}>
                {held.slice(0, MAX_COURSES_PER_HOUR).map(course => (
                  <Link
                    key={course.id}
                    className={piece('plain')}
                    href={`/course-details/${course.id}`}
                    data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}
                    data-full={availabilityOf(course).kind === 'full' || undefined}
                    title={`${formatTime(course.startTime)} ${nameIn(language, course)}`}
                  >
                    <b>{formatTime(course.startTime)}</b> {nameIn(language, course)}
                  </Link>
                ))}
                {held.slice(0, held.length > MAX_COURSES_PER_HOUR ? 1 : 0).map(first => (
                  <button key="more" type="button" onClick={() => narrow(WEEK[index] ?? 0, first)}>
                    +{held.length - MAX_COURSES_PER_HOUR}
                  </button>
                ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
