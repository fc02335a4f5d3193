import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { groupCoursesByName } from '../grouping-model.ts'
import type { ListedCourse } from '../model.ts'
import { useVirtualRows } from '../use-virtual-rows.ts'
import cards from './course-card.module.css'
import { CourseCard } from './course-card.tsx'
import { CourseGroupCard } from './course-group-card.tsx'
import classes from './course-list.module.css'

type Props = {
  courses: readonly ListedCourse[]
  isLoggedIn: boolean
  /** true when printing: renders all rows, because paper cannot scroll */
  isWhole: boolean
}

/** Virtualized course list, grouped by course name. */
export const CourseList = memo(function CourseList({ courses, isLoggedIn, isWhole }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const folds = useMemo(() => groupCoursesByName(courses, language), [courses, language])
  const { list, row, from, to, before, height } = useVirtualRows(folds, isWhole)
  return (
    <ul
      ref={list}
      className={`${classes.list} ${cards.asked}`}
      aria-label={t('list.results')}
      style={{ minHeight: height, paddingTop: before }}
    >
      {folds.slice(from, to).map(({ id, courses: [course, ...others] }, index) => (
        <li key={id} ref={row} data-index={from + index} aria-setsize={folds.length} aria-posinset={from + index + 1}>
          {others.length === 0 ? (
            <CourseCard course={course} mode="list" isLoggedIn={isLoggedIn} />
          ) : (
            <CourseGroupCard courses={[course, ...others]} isLoggedIn={isLoggedIn} />
          )}
        </li>
      ))}
    </ul>
  )
})
