import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { groupCoursesByName } from '../grouping-model.ts'
import type { ListedCourse } from '../model.ts'
import { useVirtualRows } from '../use-virtual-rows.ts'
import cards from './course-card.module.css'
import { CourseCard } from './course-card.tsx'
import { CourseGroupCard } from './course-group-card.tsx'
import classes from './course-list.module.css'

const { screen: CourseTableHeader } = lazyComponent(() =>
  import('./course-table-header.tsx').then(m => m.CourseTableHeader),
)

type Props = {
  courses: readonly ListedCourse[]
  isLoggedIn: boolean
  /** true while printing: renders all rows, because paper cannot scroll */
  isWhole: boolean
  /** in the table view: opens a course in a panel next to the table */
  onOpen: ((id: number) => void) | null
}

/** Virtualized list of courses, grouped by name. Shown as cards or, if wide enough, as a table. */
export const CourseList = memo(function CourseList({ courses, isLoggedIn, isWhole, onOpen }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const folds = useMemo(() => groupCoursesByName(courses, language), [courses, language])
  const { list, row, from, to, before, height } = useVirtualRows(folds, isWhole)
  const label = t('list.results')
  return (
    <div
      className={`${cards.asked} ${cards.rows}`}
      {...(onOpen && { role: 'table', 'aria-label': label, 'aria-rowcount': folds.length + 1 })}
    >
      <div className={classes.heads} role={onOpen ? 'rowgroup' : undefined}>
        {onOpen && <CourseTableHeader />}
      </div>
      <div role={onOpen ? 'rowgroup' : undefined}>
        <ul
          ref={list}
          className={classes.list}
          {...(onOpen ? { role: 'none' } : { 'aria-label': label })}
          style={{ minHeight: height, paddingTop: before }}
        >
          {folds.slice(from, to).map(({ id, courses: [course, ...others] }, index) => {
            const inTable = onOpen ? { onOpen, rowIndex: from + index + 2 } : {}
            return (
              <li
                key={id}
                ref={row}
                data-index={from + index}
                {...(onOpen ? { role: 'none' } : { 'aria-setsize': folds.length, 'aria-posinset': from + index + 1 })}
              >
                {others.length === 0 ? (
                  <CourseCard course={course} mode="list" isLoggedIn={isLoggedIn} {...inTable} />
                ) : (
                  <CourseGroupCard courses={[course, ...others]} isLoggedIn={isLoggedIn} {...inTable} />
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
})
